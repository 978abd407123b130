// eslint.config: strict, type-checked rules; Prettier decides the layout.
import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', 'var/', 'coverage/', 'docs/', 'bin/svc', 'pipeline-config/', 'datamodels/'] },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['eslint.config.mjs'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      curly: ['error', 'all'],
      eqeqeq: 'error',
      'no-nested-ternary': 'error',
      // A longer function says why in the comment that allows it.
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Settings are read in core/config only.' },
      ],
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-base-to-string': 'off',
      '@typescript-eslint/no-unnecessary-type-assertion': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  { files: ['core/http/route.ts'], rules: { '@typescript-eslint/no-explicit-any': 'off' } },
  { files: ['test/**'], rules: { 'no-restricted-properties': 'off' } },
  // A describe holds the cases of a file.
  { files: ['test/**/*.test.ts'], rules: { 'max-lines-per-function': 'off' } },
  { files: ['core/config/load.ts', 'core/config/environment.ts'], rules: { 'no-restricted-properties': 'off' } },
  {
    files: ['plugins/website/*.js'],
    languageOptions: {
      sourceType: 'script',
      globals: {
        window: 'readonly',
        document: 'readonly',
        navigator: 'readonly',
        Element: 'readonly',
        atob: 'readonly',
        btoa: 'readonly',
        self: 'readonly',
        caches: 'readonly',
        crypto: 'readonly',
        fetch: 'readonly',
        indexedDB: 'readonly',
        MessageChannel: 'readonly',
        Response: 'readonly',
        setTimeout: 'readonly',
        TextDecoder: 'readonly',
        TextEncoder: 'readonly',
        URL: 'readonly',
        URLSearchParams: 'readonly',
      },
    },
  },
  {
    files: ['.labrc.js'],
    languageOptions: { globals: { module: 'writable', require: 'readonly' } },
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
  { files: ['**/*.js', '**/*.mjs'], ...tseslint.configs.disableTypeChecked },
);
