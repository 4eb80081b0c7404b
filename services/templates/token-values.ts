/** Checks CSS values of tokens as far as possible without a browser (CSS Values 4, CSS Color 4). Pure. */

export type Kind = 'color' | 'length'

/** A value that cannot end its own declaration. */
const SAFE = /^[^;{}<>\r\n]{1,200}$/
const HEX = /^#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i
const COLOR_FUNCTION = /^(rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix|light-dark|var)\(.+\)$/i
const LENGTH = /^[+-]?(\d+|\d*\.\d+)(px|r?em|r?lh|ch|ex|cap|ic|[sld]?v(w|h|i|b|min|max)|cm|mm|q|in|pt|pc|%)$/i
const LENGTH_FUNCTION = /^(calc|min|max|clamp|var)\(.+\)$/i

/** Every name of CSS Color 4, with `grey` for `gray`, and the two keywords. */
const NAMED_COLORS = new Set(
  `aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood
  cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgrey
  darkgreen darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen darkslateblue
  darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgrey dodgerblue firebrick floralwhite forestgreen
  fuchsia gainsboro ghostwhite gold goldenrod grey green greenyellow honeydew hotpink indianred indigo ivory khaki
  lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgrey lightgreen
  lightpink lightsalmon lightseagreen lightskyblue lightslategrey lightsteelblue lightyellow lime limegreen linen magenta
  maroon mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen
  mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab
  orange orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum
  powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver
  skyblue slateblue slategrey snow springgreen steelblue tan teal thistle tomato turquoise violet wheat white whitesmoke
  yellow yellowgreen transparent currentcolor`.split(/\s+/),
)
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']' }

/** Returns why a token can't have this value, or undefined. */
export function invalidReason(value: string): string | undefined {
  if (!SAFE.test(value)) return 'must be a CSS value of at most 200 characters without ; { } < >'
  if (value.includes('/*')) return 'must be a CSS value without a comment'
  // An unclosed bracket would consume every token after it.
  return isClosed(value) ? undefined : 'has a bracket or a quote that is not closed'
}

function isClosed(value: string): boolean {
  const open: string[] = []
  let quote = ''
  for (let at = 0; at < value.length; at++) {
    const character = value.charAt(at)
    if (character === '\\') at++
    else if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '"' || character === "'") quote = character
    else if (CLOSING[character] !== undefined) open.push(CLOSING[character])
    else if ((character === ')' || character === ']') && open.pop() !== character) return false
  }
  return quote === '' && open.length === 0 && !value.endsWith('\\')
}

/** Returns the kind of values that may replace this one; undefined allows any. */
export function kindOf(value: string): Kind | undefined {
  if (HEX.test(value)) return 'color'
  return LENGTH.test(value) ? 'length' : undefined
}

export function hasKind(kind: Kind, value: string): boolean {
  const text = value.trim()
  // A bare 0 is not a length: calc(0 * 2) is a number.
  if (kind === 'length') return LENGTH.test(text) || LENGTH_FUNCTION.test(text)
  return HEX.test(text) || COLOR_FUNCTION.test(text) || NAMED_COLORS.has(text.toLowerCase().replace('gray', 'grey'))
}

/** Returns a hint for a value that is not of the kind. */
export function kindHint(kind: Kind, value: string): string {
  if (kind === 'color') return 'use a CSS color: "#2457ff", rgb(36 87 255), navy'
  return `use a CSS length: ${/^\d+(\.\d+)?$/.test(value) ? `${value}px` : '10px, 0.5rem'}`
}
