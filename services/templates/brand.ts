/** What an application beside the pages takes from the theme: its font, its logo and a legible accent. Pure. */
import type { Assets } from './assets.ts'
import { isLegible, legible, mixed, textOn } from './contrast.ts'
import type { Tokens } from './tokens.ts'

/** A logo for each color scheme. */
export interface Logo {
  /** URL path. */
  readonly light: string
  readonly dark: string
}
export interface Accent {
  readonly accent: string
  /** Text on the accent. */
  readonly onAccent: string
  /** A background for text in the accent. */
  readonly soft: string
}
/** Opaque backgrounds of the application, as #rrggbb. The first one is the most frequent. */
export interface Surfaces {
  readonly light: readonly string[]
  readonly dark: readonly string[]
}
export interface Brand {
  readonly logo: Logo | null
  /** Rules `@font-face` of the theme's `fonts.css`; empty without one. */
  readonly fontFaces: string
  /** URL path of the file with the letters of most languages, if the theme's font is Inter. */
  readonly font: string | null
  /** Undefined if the theme's accent isn't a hex color, whose contrast can be computed. */
  readonly light: Accent | undefined
  readonly dark: Accent | undefined
}

export const FONT_STYLES = 'fonts.css'
const FONT = 'fonts/inter-latin.woff2'

/** The file that a page loads in advance: themes that name another font don't need it. */
export const fontOf = (assets: Assets, { light: { font = '' } }: Tokens): string | null =>
  /^["']?Inter\b/.test(font) ? (assets.named(FONT)?.path ?? null) : null

export const createBrand = (assets: Assets, tokens: Tokens, logo: Logo | null, surfaces: Surfaces): Brand => ({
  logo,
  fontFaces: assets.named(FONT_STYLES)?.bytes.toString('utf8') ?? '',
  font: fontOf(assets, tokens),
  light: accentOn(tokens.light.accent, surfaces.light, 0.08),
  dark: accentOn(tokens.dark.accent, surfaces.dark, 0.16),
})

/** @param share of the accent in the soft background. */
function accentOn(color: string | undefined, surfaces: readonly string[], share: number): Accent | undefined {
  const soft = color === undefined ? undefined : mixed(color, surfaces[0] ?? '', share)
  if (color === undefined || soft === undefined) return undefined
  const accent = legible(color, [...surfaces, soft])
  return { accent, onAccent: textOn(accent) ?? '#ffffff', soft }
}

/** Whether text in the accent lacks contrast in light mode. A brand color rarely has enough in dark mode, too. */
export const isPale = ({ light: { accent = '', background = '', surface = '' } }: Tokens): boolean =>
  !isLegible(accent, [background, surface])
