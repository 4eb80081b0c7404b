/** The page of the API reference. Pure. */

import { escapeHtml } from '@larder-dev/larder/kernel/internal'
import type { ColorSchemes } from '../../theme.ts'

export interface ReferencePage {
  readonly product: string
  readonly locale: string
  readonly nonce: string
  readonly schemes: ColorSchemes
  /** URL paths of the files. */
  readonly paths: { readonly style: string; readonly start: string; readonly scalar: string }
  /** Absent if the product has no sign-in page. */
  readonly signInPath: string | undefined
  /** Whether the request has a login cookie. */
  readonly hasSession: boolean
  /** ID of the workspace that the reader's pages show. */
  readonly workspace: string | undefined
  /** Translates a text to the reader's language. */
  readonly text: (text: string) => string
}

export function referencePage(page: ReferencePage): string {
  const { product, locale, nonce, schemes, paths, signInPath, hasSession, workspace, text } = page
  const texts = {
    copy: text('Copy'),
    failed: text("The API reference couldn't be loaded. Reload the page."),
    session: text('Without a token, requests use your login.'),
  }
  const attributes = [
    `data-texts="${escapeHtml(JSON.stringify(texts))}"`,
    ...(hasSession ? ['data-session'] : []),
    ...(workspace === undefined ? [] : [`data-workspace="${escapeHtml(workspace)}"`]),
  ]
  const label = (message: string) => escapeHtml(text(message))
  const signIn =
    signInPath === undefined
      ? ''
      : `<a href="${signInPath}?next=/docs"${hasSession ? ' hidden' : ''}>${label('Sign in')}</a>`
  return `<!doctype html>
<html lang="${escapeHtml(locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta property="csp-nonce" content="${nonce}">
<title>${escapeHtml(product)} API</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${schemesCss(schemes)}</style>
<link rel="stylesheet" href="${paths.style}">
</head>
<body>
<nav class="reference-bar" aria-label="${label('Main')}">
<a class="reference-brand" href="/">${escapeHtml(product)}</a>
<a href="/problems">${label('Errors')}</a>
<a href="/v1/platform/openapi.json">OpenAPI</a>
<div id="session"><label hidden><span>${label('Workspace')}</span> <select></select></label>${signIn}</div>
</nav>
<div id="reference" ${attributes.join(' ')}></div>
<script src="${paths.start}"></script>
<script src="${paths.scalar}" defer></script>
</body>
</html>
`
}

/** The reader can select a color scheme, so each has a class. */
function schemesCss({ light, dark }: ColorSchemes): string {
  const block = (values: Readonly<Record<string, string>>) =>
    `{${Object.entries(values)
      .map(([name, value]) => `--${name}:${value}`)
      .join(';')}}`
  return `:root,.light-mode${block(light)}@media (prefers-color-scheme:dark){:root${block(dark)}}.dark-mode${block(dark)}`
}
