/** Which of the product's languages a reader gets (RFC 9110, 12.5.4). Pure. */
export function localeOf(
  accepted: string | undefined,
  locales: { readonly default: string; readonly available: readonly string[] },
): string {
  const wishes = (accepted ?? '').split(',', 20).map(part => {
    const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
    const quality = parameters.map(text => /^\s*q=([\d.]+)\s*$/.exec(text)?.[1]).find(Boolean)
    return { tag: tag.trim(), quality: quality === undefined ? 1 : Number(quality) }
  })
  for (const { tag, quality } of wishes.toSorted((a, b) => b.quality - a.quality)) {
    if (!(quality > 0) || tag === '') continue
    const found = locales.available.find(
      locale => locale.toLowerCase() === tag || locale.toLowerCase() === tag.split('-')[0],
    )
    if (found) return found
  }
  return locales.default
}
