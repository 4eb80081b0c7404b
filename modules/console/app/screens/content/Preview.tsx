/** The page as visitors will see it: the theme's page without content, filled with the text that the server rendered. */

import { useEffect, useRef, useState } from 'react'
import { api, directionOf, fill, getPage, keys, MINUTE, useLoad, useSettled } from '../../public.ts'
import { useContentTexts } from './texts.ts'

const TYPING_PAUSE_MS = 300

interface Props {
  readonly title: string
  readonly body: string
  readonly template: string
  /** The language of the page. The theme's own texts stay in that of the editor. */
  readonly locale: string
}

export function Preview({ title, body, template, locale }: Props) {
  const c = useContentTexts()
  const frame = useRef<HTMLIFrameElement>(null)
  const [isLoaded, setLoaded] = useState(false)
  const text = useSettled(body, TYPING_PAUSE_MS)
  const path = `/content/preview/${template}`
  const { data: shell } = useLoad(keys.page(path), async signal => withoutScripts(await getPage(path, signal)), {
    freshMs: MINUTE,
  })
  const { data: html, error } = useLoad(
    keys.load('/v1/content/render', text),
    async signal => (await api.post('/v1/content/render', { body: { body: text }, signal })).body.html,
    { keepsLast: true, isForgotten: true, isRetried: false },
  )
  useEffect(() => {
    const target = frame.current?.contentDocument?.querySelector('[data-preview]')
    if (!target || html === undefined || !isLoaded) return
    // Sanitized by the server, in a frame that runs no scripts.
    target.innerHTML = html
    if (/<h1[ >]/.test(html)) return
    const heading = target.ownerDocument.createElement('h1')
    heading.textContent = title
    target.prepend(heading)
  }, [html, title, isLoaded])
  useEffect(() => {
    const document = frame.current?.contentDocument?.documentElement
    if (!document || !isLoaded) return
    document.lang = locale
    document.dir = directionOf(locale)
  }, [locale, isLoaded])
  if (error) return <p className="notice danger">{fill(c.previewFailed, { reason: error.message })}</p>
  return (
    <iframe
      ref={frame}
      className="preview"
      title={fill(c.previewOf, { title })}
      sandbox="allow-same-origin"
      srcDoc={shell ?? ''}
      onLoad={() => setLoaded(shell !== undefined)}
    />
  )
}

/** The sandbox would refuse scripts, and the policy of the console the theme's nonces. */
function withoutScripts(html: string): string {
  const page = new DOMParser().parseFromString(html, 'text/html')
  for (const script of page.querySelectorAll('script, link[rel=modulepreload]')) script.remove()
  const nonce = document.querySelector<HTMLElement>('meta[property=csp-nonce]')?.nonce ?? ''
  for (const style of page.querySelectorAll('style')) style.setAttribute('nonce', nonce)
  // A parent of its own would change the selectors of the theme.
  const marker = page.querySelector('[data-preview]')
  const parent = marker?.parentElement
  if (marker && parent) {
    marker.remove()
    parent.setAttribute('data-preview', '')
  }
  return page.documentElement.outerHTML
}
