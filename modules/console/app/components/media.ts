/** What the browser says about the screen. */
import { type RefObject, useLayoutEffect, useState, useSyncExternalStore } from 'react'

/** Narrower screens show the rows of a list as cards; the same width as in the style sheets. */
const NARROW = '(max-width: 760px)'
const TOUCH = '(pointer: coarse)'

function useMedia(query: string): boolean {
  const subscribe = (listener: () => void) => {
    const media = matchMedia(query)
    media.addEventListener('change', listener)
    return () => media.removeEventListener('change', listener)
  }
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}

export const useIsNarrow = (): boolean => useMedia(NARROW)
export const useIsTouch = (): boolean => useMedia(TOUCH)

/** The width of an element in pixels; that of the window until it is known. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(innerWidth)
  useLayoutEffect(() => {
    const { current } = element
    if (!current) return
    const observer = new ResizeObserver(() => setWidth(current.clientWidth))
    setWidth(current.clientWidth)
    observer.observe(current)
    return () => observer.disconnect()
  }, [element])
  return width
}
