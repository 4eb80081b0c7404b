/** Contrast of colors (WCAG 2.2, 1.4.3) written as #rgb or #rrggbb. Pure. */

type Rgb = readonly [red: number, green: number, blue: number]

/** Minimum contrast of text and background (level AA). */
const MIN_CONTRAST = 4.5
const STEPS = 20
const WHITE: Rgb = [255, 255, 255]
const BLACK: Rgb = [0, 0, 0]

export function parseColor(text: string): Rgb | undefined {
  const [, digits = ''] = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(text.trim()) ?? []
  if (digits === '') return undefined
  const long = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits
  const part = (at: number) => Number.parseInt(long.slice(at, at + 2), 16)
  return [part(0), part(2), part(4)]
}

const formatColor = (color: Rgb): string =>
  `#${color.map(part => Math.round(part).toString(16).padStart(2, '0')).join('')}`

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map(part => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** From 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** Returns white or black, whichever has more contrast on the color; undefined unless it is a hex color. */
export function textOn(color: string): string | undefined {
  const background = parseColor(color)
  if (!background) return undefined
  return contrast(WHITE, background) >= contrast(BLACK, background) ? '#ffffff' : '#000000'
}

/** Whether the color is legible as text on every background; also if one of the colors isn't a hex color. */
export function isLegible(color: string, backgrounds: readonly string[]): boolean {
  const own = parseColor(color)
  const behind = backgrounds.map(parseColor).filter(background => background !== undefined)
  return !own || behind.every(background => contrast(own, background) >= MIN_CONTRAST)
}

/** @param share of the color, from 0 to 1. Undefined unless both are hex colors. */
export function mixed(color: string, background: string, share: number): string | undefined {
  const [own, behind] = [parseColor(color), parseColor(background)]
  if (!own || !behind) return undefined
  return formatColor(own.map((part, at) => part * share + (behind[at] as number) * (1 - share)) as unknown as Rgb)
}

/** Mixes in as much black or white as the color needs for sufficient contrast on every background. */
export function legible(color: string, backgrounds: readonly string[]): string {
  const own = parseColor(color)
  const behind = backgrounds.map(parseColor).filter(background => background !== undefined)
  if (!own || behind.length === 0) return color
  const worst = (text: Rgb) => Math.min(...behind.map(background => contrast(text, background)))
  const target = worst(WHITE) > worst(BLACK) ? WHITE : BLACK
  for (let step = 0; step <= STEPS; step++) {
    const mixed = own.map((part, at) => part + (((target[at] as number) - part) * step) / STEPS) as unknown as Rgb
    if (worst(mixed) >= MIN_CONTRAST || step === STEPS) return step === 0 ? color : formatColor(mixed)
  }
  return color
}
