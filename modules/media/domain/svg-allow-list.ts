/** What an uploaded SVG may contain: shapes, text, gradients, filters and animations, without scripts or external resources. */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

export const SVG_NAMESPACE = 'http://www.w3.org/2000/svg'
export const XLINK_NAMESPACE = 'http://www.w3.org/1999/xlink'
export const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace'
export const XMLNS_NAMESPACE = 'http://www.w3.org/2000/xmlns/'

/**
 * Vocabularies that browsers execute, render or once did. Browsers neither render nor interpret elements and attributes
 * of any other namespace, in which editors store their settings and metadata.
 */
export const ACTIVE_NAMESPACES: ReadonlySet<string> = new Set([
  'http://www.w3.org/1999/xhtml',
  'http://www.w3.org/1998/Math/MathML',
  'http://www.w3.org/1999/XSL/Transform',
  'http://www.w3.org/2001/xml-events',
  'http://www.w3.org/2001/XInclude',
  'http://www.w3.org/2002/xforms',
  'http://www.w3.org/ns/xbl',
  'http://www.mozilla.org/xbl',
  'http://www.mozilla.org/keymaster/gatekeeper/there.is.only.xul',
])

export const ELEMENTS = words(`
  svg g defs symbol use switch view title desc metadata a style image
  path rect circle ellipse line polyline polygon text tspan textPath
  linearGradient radialGradient stop pattern clipPath mask marker filter
  feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap
  feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode
  feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence
  animate animateMotion animateTransform mpath set
`)

/** Values that browsers treat as text or names. */
export const TEXT_ATTRIBUTES = words('id class lang role tabindex target type media version baseProfile')

/** Values in which CSS functions can appear. */
export const STYLED_ATTRIBUTES = words(`
  style accumulate additive alignment-baseline amplitude attributeName attributeType azimuth baseFrequency baseline-shift
  begin bias by calcMode clip clip-path clip-rule clipPathUnits color color-interpolation color-interpolation-filters
  color-rendering cursor cx cy d diffuseConstant direction display divisor dominant-baseline dur dx dy edgeMode
  elevation enable-background end exponent fill fill-opacity fill-rule filter filterRes filterUnits flood-color
  flood-opacity font font-family font-feature-settings font-kerning font-size font-size-adjust font-stretch font-style
  font-variant font-weight fr from fx fy gradientTransform gradientUnits height image-rendering in in2 intercept isolation
  k1 k2 k3 k4 kernelMatrix kernelUnitLength keyPoints keySplines keyTimes lengthAdjust letter-spacing lighting-color
  limitingConeAngle marker marker-end marker-mid marker-start markerHeight markerUnits markerWidth mask mask-type
  maskContentUnits maskUnits max method min mix-blend-mode mode numOctaves offset opacity operator order orient origin
  overflow paint-order path pathLength patternContentUnits patternTransform patternUnits pointer-events points
  pointsAtX pointsAtY pointsAtZ preserveAlpha preserveAspectRatio primitiveUnits r radius refX refY repeatCount
  repeatDur requiredExtensions requiredFeatures restart result rotate rx ry scale seed shape-rendering side slope
  solid-color solid-opacity spacing specularConstant specularExponent spreadMethod startOffset stdDeviation stitchTiles
  stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit
  stroke-opacity stroke-width surfaceScale systemLanguage tableValues targetX targetY text-align text-anchor
  text-decoration text-orientation text-rendering textLength to transform transform-box transform-origin unicode-bidi
  values vector-effect viewBox viewTarget visibility white-space width word-spacing writing-mode x x1 x2
  xChannelSelector y y1 y2 yChannelSelector z zoomAndPan
`)

export const XLINK_ATTRIBUTES = words('href title type role arcrole show actuate')
export const XML_ATTRIBUTES = words('space lang id')

/** Attributes that an animation may not change. */
export const FIXED_ATTRIBUTES = words('style attributeName')

/** In lower case. `url` is checked separately. */
export const CSS_FUNCTIONS = words(`
  linear-gradient radial-gradient conic-gradient repeating-linear-gradient repeating-radial-gradient
  rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix var calc min max clamp
  matrix matrix3d translate translatex translatey translatez translate3d scale scalex scaley scalez scale3d
  rotate rotatex rotatey rotatez rotate3d skew skewx skewy perspective
  blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia
  cubic-bezier steps linear circle ellipse inset polygon path rect format local tech
  not is where nth-child nth-of-type nth-last-child nth-last-of-type lang
`)
/** In lower case. */
export const CSS_AT_RULES = words(
  'media supports keyframes -webkit-keyframes font-face charset layer namespace page property container',
)
