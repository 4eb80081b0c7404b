/** The few pages of the kernel itself. Pure. */
import { byCodeUnits } from '../order.ts'
import type { ProblemTable } from '../problem.ts'
import type { TemplateProblem } from '../templates/engine.ts'
import { pagePolicy } from './headers.ts'
import { shownSentence, titleOf } from './problems.ts'

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

const PLAIN =
  ':root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}'

export interface ProblemList {
  readonly module: string
  readonly problems: ProblemTable
}

const WHAT_TO_DO: Readonly<Record<number, string>> = {
  400: 'Correct the request: it is malformed, or lacks what it always needs.',
  401: 'Sign in, or send a valid key or token, and try again.',
  403: 'The same request will not pass by itself: ask an owner of the workspace for what is missing.',
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

/** What a developer sees where a template is broken: no theme is asked, it may be what is broken. */
export function templatePage(
  places: readonly TemplateProblem[],
  nonce: string,
  live: (nonce: string) => string = () => '',
) {
  const rows = places.map(({ file, line, column, message }) => {
    const at = line > 0 ? `:${line}:${column}` : ''
    return `<li><p><code>${escapeHtml(file + at)}</code></p><p>${escapeHtml(message)}</p></li>`
  })
  const style = `<style nonce="${nonce}">${PLAIN}code{overflow-wrap:anywhere}</style>`
  const text = '<p>Only people who work on templates see this. In production it is a plain page.</p>'
  const html = document(
    'A template is broken',
    style,
    `<main><h1>A template is broken</h1><ul>${rows.join('')}</ul>${text}</main>${live(nonce)}`,
  )
  return { html, headers: { 'content-security-policy': pagePolicy(nonce) } }
}

/** `This link is invalid or has expired. Request a new one.`: what every problem of its status asks for would contradict it. */
const saysWhatToDo = (sentence: string): boolean => /[.:] /.test(sentence)

/** Every code that this installation answers: its status, its sentence, what to do. */
export const problemsShown = (lists: readonly ProblemList[]) =>
  lists.flatMap(({ module, problems }) =>
    Object.values(problems)
      .toSorted((a, b) => byCodeUnits(a.code, b.code))
      .map(({ code, status, sentence }) => {
        const said = shownSentence(sentence)
        const remedy = saysWhatToDo(said) ? '' : (WHAT_TO_DO[status] ?? '')
        return { code, title: titleOf(code), status, module, sentence: said, remedy }
      }),
  )
