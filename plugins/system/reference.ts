/**
 * reference: the page of the API reference. It shows openapi.json, searches calls while the reader types, and signs the
 * calls that the reader tries.
 */
import type { Page } from './serialize';

const html = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>API reference - Personal Health Records Service</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="docs/swagger-ui.css">
  <link rel="stylesheet" href="docs/reference.css">
  <script src="docs/colours.js"></script>
</head>
<body>
  <header id="bar">
    <form autocomplete="off">
      <label class="search">Find a call <input name="search" type="search" placeholder="words of its path, name or meaning" autofocus></label>
      <details>
        <summary>Sign the calls that you try</summary>
        <div class="fields">
          <label>Consumer key <input name="key" autocapitalize="none" spellcheck="false"></label>
          <label>Consumer secret <input name="secret" type="password"></label>
          <label>Token (optional) <input name="token" autocapitalize="none" spellcheck="false"></label>
          <label>Token secret <input name="tokenSecret" type="password"></label>
        </div>
      </details>
      <small>Calls that you try are signed with these in your browser. Nothing is stored, nothing goes anywhere but here.</small>
    </form>
  </header>
  <div id="reference"></div>
  <p id="found" role="status"></p>
  <script src="docs/oauth-1.0a.js"></script>
  <script src="docs/swagger-ui-bundle.js"></script>
  <script src="docs/start.js"></script>
</body>
</html>
`;

/**
 * The content policy of the page: everything comes from this service, and only its own scripts run. The library writes
 * styles into elements.
 */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const startPage: Page = {
  type: 'text/html; charset=utf-8',
  body: html,
  headers: { 'content-security-policy': policy },
};
