/**
 * house: prints what the house looks like from above: files, functions, names, exports, circles, words. It reads the
 * sources, so that a state can be compared with another: `node dist/test/tools/house.js [FOLDER] [--names]`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import * as ts from 'typescript';
import { projectRoot } from '../../core/base/paths';
import { groupedBy } from '../../core/base/grouped-by';

const [folder = projectRoot] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const root = resolve(folder);
const PRODUCT = ['bin', 'core', 'plugins'];

const filesBelow = (folder: string, kind: RegExp): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      return ['node_modules', 'dist', 'var', '.git', 'fixtures'].includes(entry.name) ? [] : filesBelow(path, kind);
    }
    return kind.test(entry.name) && !entry.name.endsWith('.d.ts') ? [path] : [];
  });

const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

type Source = { readonly path: string; readonly tree: ts.SourceFile };

const sourcesIn = (folders: readonly string[]): readonly Source[] =>
  folders
    .flatMap((folder) => filesBelow(folder, /\.tsx?$/))
    .map((path) => ({ path, tree: ts.createSourceFile(path, textOf(path), ts.ScriptTarget.ES2022, true) }));

type Named = { readonly name: string; readonly path: string };

const isFunction = (node: ts.Node): node is ts.FunctionLikeDeclaration & { readonly body: ts.Node } =>
  (ts.isFunctionDeclaration(node) ||
    ts.isFunctionExpression(node) ||
    ts.isArrowFunction(node) ||
    ts.isMethodDeclaration(node)) &&
  node.body !== undefined;

const walk = (node: ts.Node, visit: (node: ts.Node) => void): void => {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
};

/** How many lines each function of a file has. */
const lengthsOf = ({ tree }: Source): readonly number[] => {
  const lengths: number[] = [];
  walk(tree, (node) => {
    if (isFunction(node)) {
      const lineAt = (position: number): number => tree.getLineAndCharacterOfPosition(position).line;
      lengths.push(lineAt(node.getEnd()) - lineAt(node.getStart(tree)) + 1);
    }
  });
  return lengths;
};

type TopLevel = Named & { readonly kind: 'function' | 'arrow' | 'type' | 'value'; readonly exported: boolean };

const topLevelOf = ({ path, tree }: Source): readonly TopLevel[] =>
  tree.statements.flatMap((statement): readonly TopLevel[] => {
    const exported =
      ts.canHaveModifiers(statement) &&
      (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (ts.isFunctionDeclaration(statement) && statement.name) {
      return [{ path, name: statement.name.text, kind: 'function', exported }];
    }
    if (ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement)) {
      return [{ path, name: statement.name.text, kind: 'type', exported }];
    }
    if (!ts.isVariableStatement(statement)) {
      return [];
    }
    return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
      ts.isIdentifier(name)
        ? [{ path, name: name.text, kind: initializer && isFunction(initializer) ? 'arrow' : 'value', exported }]
        : [],
    );
  });

const ENDINGS = ['.ts', '.tsx', '/index.ts'];

/** What a file imports from the project: the file and the names, `*` for all of it. */
const importsOf = ({ path, tree }: Source, known: ReadonlySet<string>): readonly Named[] => {
  const found: Named[] = [];
  const add = (specifier: string, names: readonly string[]): void => {
    const base = relative(root, resolve(root, dirname(path), specifier.replace(/\.js$/, '')));
    const target = ENDINGS.map((ending) => base + ending).find((name) => known.has(name));
    if (specifier.startsWith('.') && target !== undefined) {
      found.push(...names.map((name) => ({ path: target, name })));
    }
  };
  walk(tree, (node) => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      const bindings = node.importClause?.namedBindings;
      const names =
        bindings && ts.isNamedImports(bindings)
          ? bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text)
          : ['*'];
      add(node.moduleSpecifier.text, names);
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      const { literal } = node.argument;
      add(ts.isStringLiteral(literal) ? literal.text : '', ['*']);
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [specifier] = node.arguments;
      add(specifier && ts.isStringLiteral(specifier) ? specifier.text : '', ['*']);
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
      add(node.moduleSpecifier.text, ['*']);
    }
  });
  return found;
};

/** Groups of files that import each other in a circle, imports of types included. */
const circlesIn = (targets: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] => {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): void => {
    order.set(file, order.size);
    lowest.set(file, order.get(file)!);
    stack.push(file);
    for (const target of targets.get(file) ?? []) {
      if (!order.has(target)) {
        visit(target);
        lowest.set(file, Math.min(lowest.get(file)!, lowest.get(target)!));
      } else if (stack.includes(target)) {
        lowest.set(file, Math.min(lowest.get(file)!, order.get(target)!));
      }
    }
    if (lowest.get(file) === order.get(file)) {
      const circle = stack.splice(stack.indexOf(file));
      if (circle.length > 1) {
        circles.push(circle);
      }
    }
  };
  [...targets.keys()].filter((file) => !order.has(file)).forEach(visit);
  return circles;
};

const share = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;

const spread = (numbers: readonly number[]): string => {
  const sorted = [...numbers].sort((one, other) => one - other);
  return [0.5, 0.9, 0.99, 1].map((part) => share(sorted, part)).join(' / ');
};

const linesOf = (path: string): number => textOf(path).split('\n').length - 1;
const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
const wordsOf = (path: string): number => textOf(path).split(/\s+/).filter(Boolean).length;

const product = sourcesIn(PRODUCT);
const everything = [...product, ...sourcesIn(['test'])];
const known = new Set(everything.map(({ path }) => path));
const imports = new Map(everything.map((source) => [source.path, importsOf(source, known)]));
const top = product.flatMap(topLevelOf);
const functions = top.filter(({ kind }) => kind === 'function' || kind === 'arrow');
const used = new Set([...imports.values()].flat().map(({ path, name }) => `${path} ${name}`));
const unused = top.filter(
  ({ path, name, exported }) => exported && !used.has(`${path} ${name}`) && !used.has(`${path} *`),
);
const many = [...groupedBy(functions, ({ name }) => name)]
  .map(([name, found]) => ({ name, files: new Set(found.map(({ path }) => path)).size }))
  .filter(({ files }) => files >= 3)
  .sort((one, other) => other.files - one.files);
const folders = [...groupedBy(product, ({ path }) => dirname(path))]
  .map(([folder, found]) => ({ folder, files: found.length }))
  .sort((one, other) => other.files - one.files);
const circles = circlesIn(
  new Map(product.map(({ path }) => [path, [...new Set((imports.get(path) ?? []).map((found) => found.path))]])),
);
const oneWord = functions.filter(({ name }) => /^[a-z]+$/.test(name));
const engine = product.filter(({ path }) => /^core\/(db|storage)\//.test(path) && !path.includes('/migrations/'));
const scripts = (JSON.parse(textOf('package.json')) as { readonly scripts: Readonly<Record<string, string>> }).scripts;
const settings = [...textOf('core/config/schema.ts').matchAll(/^\s+SVC_[A-Z_]+:/gm)].length;
const markdown = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...['bin', 'core', 'plugins', 'docs', 'pipeline-config', 'datamodels', 'manifests', 'test'].flatMap((folder) =>
    filesBelow(folder, /\.md$/),
  ),
];

const rows: readonly (readonly [string, string | number])[] = [
  ['files of the product', product.length],
  ['lines of the product', total(product.map(({ path }) => linesOf(path)))],
  ['lines a file: median / p90 / p99 / max', spread(product.map(({ path }) => linesOf(path)))],
  ['lines a function: median / p90 / p99 / max', spread(product.flatMap(lengthsOf))],
  ['top-level function declarations', functions.filter(({ kind }) => kind === 'function').length],
  ['top-level arrow constants', functions.filter(({ kind }) => kind === 'arrow').length],
  ['function names of one word', `${oneWord.length} (${Math.round((100 * oneWord.length) / functions.length)} %)`],
  ['function names in three files or more', many.length],
  ['exported values never imported', unused.filter(({ kind }) => kind !== 'type').length],
  ['exported types never imported', unused.filter(({ kind }) => kind === 'type').length],
  ['circles of imports, types included', circles.length],
  ['files in the largest folder', `${folders[0]!.files} (${folders[0]!.folder})`],
  ['lines of core/db without migrations', total(engine.map(({ path }) => linesOf(path)))],
  ['lines of tests', total(everything.slice(product.length).map(({ path }) => linesOf(path)))],
  ['words of Markdown', total(markdown.map(wordsOf))],
  ['settings', settings],
  ['npm scripts', Object.keys(scripts).length],
];

process.stdout.write(rows.map(([what, value]) => `${what}: ${value}\n`).join(''));
if (process.argv.includes('--names')) {
  const list = (title: string, lines: readonly string[]): void => {
    process.stdout.write(`\n${title}\n${lines.map((line) => `  ${line}\n`).join('')}`);
  };
  list(
    'In three files or more',
    many.map(({ name, files }) => `${name} (${files})`),
  );
  list(
    'Exported, never imported',
    unused.map(({ path, name, kind }) => `${path} ${name} (${kind})`),
  );
  list(
    'Circles',
    circles.map((circle) => circle.join(' ')),
  );
}
