/** refusal: makes the page that a person sees when no answer to a wrong request can be sent to the app. */
import type { Request, ResponseObject, ResponseToolkit } from '@hapi/hapi';
import { header } from '../../core/http/read-request';
import { sitePath } from '../../core/http/site-path';
import type { Services } from '../../core/services';
import { BARE_POLICY, barePage } from '../website/parts/bare';

function detailOf(body: string): string {
  try {
    const { error = '', error_description: description = '' } = JSON.parse(body) as Record<string, string>;
    return description === '' ? error : `${error}: ${description}`;
  } catch {
    return '';
  }
}

function refusalTexts(status: number) {
  return status === 429
    ? { title: 'failed.many-title', text: 'failed.many' }
    : { title: 'smart.refused-title', text: 'smart.refused' };
}

export function refusalPage(
  h: ResponseToolkit,
  request: Request,
  services: Services,
  { status, body }: { readonly status: number; readonly body: string },
): ResponseObject {
  return h
    .response(
      barePage({
        site: sitePath(services.baseUrl()),
        acceptLanguage: header(request, 'accept-language'),
        ...refusalTexts(status),
        detail: detailOf(body),
      }),
    )
    .code(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', BARE_POLICY);
}
