/** @param pattern a media type, or one such as `image/*`. */
export const isMediaTypeOf = (type: string, pattern: string): boolean =>
  type === pattern || (pattern.endsWith('/*') && type.startsWith(pattern.slice(0, -1)))
