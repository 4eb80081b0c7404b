/** The few pages of the kernel itself. Pure. */
import type { ProblemTable } from '../problem.ts'
import { titleOf } from './problems.ts'

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, char => `&#${char.charCodeAt(0)};`)

const document = (title: string, head: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>` +
  `<meta name="viewport" content="width=device-width, initial-scale=1">${head}</head><body>${body}</body></html>\n`

export const docsPage = (product: string): string =>
  document(
    `${product} API`,
    '<link rel="icon" href="data:,"><link rel="stylesheet" href="/docs/swagger-ui.css">',
    '<div id="swagger-ui"></div><script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script>',
  )

/** No validator elsewhere; the credential that a reader typed in stays in their browser. */
export const docsScript = `window.onload = () => SwaggerUIBundle({
  url: '/v1/platform/openapi.json', dom_id: '#swagger-ui', deepLinking: true,
  persistAuthorization: true, validatorUrl: null, queryConfigEnabled: false,
})
`

export interface ProblemList {
  readonly module: string
  readonly problems: ProblemTable
}

const WHAT_TO_DO: Readonly<Record<number, string>> = {
  400: 'Correct the request: it is malformed, or lacks what it always needs.',
  401: 'Sign in, or send a valid key or token, and try again.',
  403: 'Ask an owner of the tenant for what is missing; the same request will not pass again by itself.',
  404: 'Check the address and the ids in it.',
  405: 'Use one of the methods that the header Allow names.',
  408: 'Send the same request again, on a better line.',
  409: 'Read the resource again, then decide whether the request still makes sense.',
  410: 'It is over. Begin anew.',
  412: 'Read the resource again and repeat the change on its new version.',
  413: 'Send less at once.',
  415: 'Send the type that the address takes.',
  422: 'Correct the fields that errors names.',
  429: 'Wait as long as the header Retry-After says.',
  500: 'Tell the operator the request id.',
  503: 'Wait as long as the header Retry-After says, then send the same request again.',
}

/** Every code that this installation answers: its status, its sentence, what to do. */
export function problemsPage(product: string, lists: readonly ProblemList[], nonce: string): string {
  const rows = lists.flatMap(({ module, problems }) =>
    Object.values(problems)
      .toSorted((a, b) => a.code.localeCompare(b.code))
      .map(
        ({ code, status, sentence }) =>
          `<section id="${escapeHtml(code)}"><h2>${escapeHtml(titleOf(code))}</h2>` +
          `<p><code>${escapeHtml(code)}</code> · ${status} · ${escapeHtml(module)}</p>` +
          `<p>${escapeHtml(sentence)}</p><p>${escapeHtml(WHAT_TO_DO[status] ?? '')}</p></section>`,
      ),
  )
  const style = `<style nonce="${nonce}">body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}section:target{outline:2px solid;padding:0 1rem}</style>`
  return document(`Problems of ${product}`, style, `<h1>Problems</h1>${rows.join('')}`)
}
