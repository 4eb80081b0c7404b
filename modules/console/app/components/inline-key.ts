/** Arrow keys in the direction of the text. */
import type { KeyboardEvent } from 'react'

const MIRRORED: Readonly<Record<string, string>> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' }

/** The key; where the text is written from right to left, the arrow of the other side. */
export const inlineKey = ({ key, currentTarget }: KeyboardEvent): string =>
  (getComputedStyle(currentTarget).direction === 'rtl' && MIRRORED[key]) || key
