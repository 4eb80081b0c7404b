/**
 * Shows the HTML of an email in a frame without scripts. The frame inherits the policy of the document, which forbids
 * style elements and attributes: they are applied through the CSS object model.
 */
import { useRef } from 'react'

const MAX_HEIGHT_PIXELS = 1600

export function MailFrame({ title, html }: { readonly title: string; readonly html: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const onLoad = () => {
    const element = frame.current
    const inner = element?.contentDocument
    const Sheet = (element?.contentWindow as (Window & typeof globalThis) | null)?.CSSStyleSheet
    if (!element || !inner || !Sheet) return
    inner.adoptedStyleSheets = [...inner.querySelectorAll('style')].map(({ textContent }) => {
      const sheet = new Sheet()
      sheet.replaceSync(textContent ?? '')
      return sheet
    })
    for (const styled of inner.querySelectorAll<HTMLElement>('[style]'))
      styled.style.cssText = styled.getAttribute('style') ?? ''
    const height = inner.documentElement.scrollHeight
    element.style.height = `${Math.min(Math.max(height, 240), MAX_HEIGHT_PIXELS)}px`
  }
  return (
    <iframe
      ref={frame}
      className="mail-frame"
      title={title}
      sandbox="allow-same-origin"
      srcDoc={html}
      onLoad={onLoad}
    />
  )
}
