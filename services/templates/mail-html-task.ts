/** Inlines styles and generates plain text. Runs in worker threads, because both libraries are large and slow. */
import { compile } from 'html-to-text'
import juice from 'juice'

export interface MailHtml {
  /** The whole document. */
  readonly html: string
  readonly css: string
  /** HTML to generate the plain text from. */
  readonly body: string | undefined
}
export interface FinishedMail {
  readonly html: string
  readonly text: string | undefined
}

const toText = compile({
  wordwrap: 78,
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['<', '>'] as [string, string] } },
    ...['h1', 'h2', 'h3'].map(selector => ({ selector, options: { uppercase: false } })),
    { selector: 'img', format: 'skip' },
  ],
})

export const finishHtml = ({ html, css, body }: MailHtml): FinishedMail => ({
  html: juice(html, { extraCss: css, resolveCSSVariables: true }),
  text: body === undefined ? undefined : toText(body),
})
