/** Pages that don't use the theme, and the rows of `/problems`. Pure. */

import { byCodeUnits, escapeHtml, type ProblemTable } from '@larder-dev/larder/kernel/internal'
import { pagePolicy } from '../headers.ts'
import { titleOf } from '../problems.ts'
import type { ErrorPlace } from '../theme.ts'

const document = (title: string, head: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>` +
  `<meta name="viewport" content="width=device-width, initial-scale=1">${head}</head><body>${body}</body></html>\n`

const PLAIN_STYLE =
  ':root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}'

export interface ProblemList {
  readonly module: string
  readonly problems: ProblemTable
}

const REMEDIES: Readonly<Record<number, string>> = {
  400: 'Correct the request.',
  401: 'Sign in, or send a valid API key or token.',
  403: 'Ask an owner of the workspace for access.',
  404: 'Check the URL and its IDs.',
  405: 'Use one of the methods in the `Allow` header.',
  408: 'Retry the request on a faster connection.',
  409: 'Fetch the resource again, then retry if the request still applies.',
  410: 'Start over.',
  412: 'Fetch the resource again and apply the change to its current version.',
  413: 'Send a smaller request.',
  415: 'Send a supported content type.',
  422: 'Correct the fields listed in `errors`.',
  429: 'Wait for the time in the `Retry-After` header.',
  500: 'Contact support with the request ID.',
  503: 'Wait for the time in the `Retry-After` header, then retry the request.',
}

/** When a module throws one of these, its detail gives the cause, and the remedy of the status could contradict it. */
const OWN_CAUSES: ReadonlySet<number> = new Set([403, 409, 415])

/** The development page for a broken template. It doesn't use the theme, which may be the broken part. */
export function templatePage(places: readonly ErrorPlace[], nonce: string, live: (nonce: string) => string = () => '') {
  const rows = places.map(({ file, line, column, message }) => {
    const at = line > 0 ? `:${line}:${column}` : ''
    return `<li><p><code>${escapeHtml(file + at)}</code></p><p>${escapeHtml(message)}</p></li>`
  })
  const style = `<style nonce="${nonce}">${PLAIN_STYLE}code{overflow-wrap:anywhere}</style>`
  const text = '<p>This page appears in development only.</p>'
  const html = document(
    'Template error',
    style,
    `<main><h1>Template error</h1><ul>${rows.join('')}</ul>${text}</main>${live(nonce)}`,
  )
  return { html, headers: { 'content-security-policy': pagePolicy(nonce) } }
}

/** A detail such as `This link has expired. Request a new one.` already has a remedy; that of its status could contradict it. */
const hasRemedy = (sentence: string): boolean => /[.:;] |^(Sign|Send|Use|Set|Choose|Confirm|Only) /.test(sentence)

const PLACEHOLDER = /\{(\w+)\}/g

/** Every error code of this installation, with its status, detail and remedy. */
export const problemRows = (general: ProblemList, modules: readonly ProblemList[]) =>
  [general, ...modules].flatMap(list =>
    Object.values(list.problems)
      .toSorted((a, b) => byCodeUnits(a.code, b.code))
      .map(({ code, status, sentence }) => {
        // The translation of a detail is found by its text with any values.
        const said = sentence.replace(PLACEHOLDER, '`$1`')
        const isClear = hasRemedy(said) || (list !== general && OWN_CAUSES.has(status))
        const remedy = isClear ? '' : (REMEDIES[status] ?? '')
        return { code, title: titleOf(code), status, module: list.module, sentence: said, remedy }
      }),
  )

/**
 * The rows that contain every word of the query, in any case. `text` translates to the language of the reader. A wording
 * for pages can have a remedy that the sentence of the API doesn't have.
 */
export function problemsWith<R extends ReturnType<typeof problemRows>[number]>(
  rows: readonly R[],
  query: string,
  text: (english: string) => string,
): readonly R[] {
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  const worded = rows.map(row => (hasRemedy(text(row.sentence)) ? { ...row, remedy: '' } : row))
  return worded.filter(({ code, status, module, sentence, remedy }) => {
    const said = `${code} ${status} ${text(module)} ${text(sentence)} ${text(remedy)}`.toLocaleLowerCase()
    return words.every(word => said.includes(word))
  })
}
