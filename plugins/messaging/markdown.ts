/** markdown: renders message bodies, which are CommonMark without raw HTML and images, as HTML that may be shown. */
import MarkdownIt from 'markdown-it';

type Placeholders = {
  /** Origin of the sending app's start address, empty when it has none. */ readonly APP_BASE: string;
  readonly MESSAGE_ID: string;
};

type Environment = { readonly base: string };

const markdown = new MarkdownIt('commonmark', { html: false }).disable('image');

/** The links that are kept: relative addresses, http, https and mailto. */
markdown.validateLink = (address) => /^(?:https?:|mailto:)/i.test(address) || !/^[^/?#]*:/.test(address);

/** Links open a new page and send it no referrer, except links into the sending app. */
markdown.renderer.rules['link_open'] = (tokens, index, options, env, self) => {
  const token = tokens[index]!;
  const { base } = env as Environment;
  if (base === '' || !`${token.attrGet('href') ?? ''}/`.startsWith(`${base}/`)) {
    token.attrSet('target', '_blank');
  }
  token.attrSet('rel', 'noopener noreferrer');
  return self.renderToken(tokens, index, options);
};

/** Fills `{NAME}` placeholders, unknown ones with nothing, and renders; scripts and raw HTML become text. */
export function renderMarkdown(body: string, placeholders: Placeholders): string {
  const filled = body.replace(
    /\{([A-Za-z_]+)\}/g,
    (_all, name: string) => placeholders[name.toUpperCase() as keyof Placeholders] ?? '',
  );
  return markdown.render(filled, { base: placeholders.APP_BASE } satisfies Environment);
}
