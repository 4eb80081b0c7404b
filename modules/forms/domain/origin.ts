import { parseUrl } from '@larder-dev/larder/kernel'

const ORIGIN = /^https?:\/\/[a-z0-9.-]+(:[0-9]{1,5})?$/

/**
 * The origin as browsers write it, such as `https://shop.example`. International domains become `xn--…`. Undefined for any
 * other text.
 */
export function originOf(text: string): string | undefined {
  const url = parseUrl(text)
  if (!url) return undefined
  const { origin } = url
  const isInternational = /^https?:\/\/[^/?#@]*[^\p{ASCII}][^/?#@]*$/u.test(text)
  // Delimiters of policies have wide forms, such as U+FF1B, which become ASCII in a domain.
  return (origin === text || isInternational) && ORIGIN.test(origin) ? origin : undefined
}
