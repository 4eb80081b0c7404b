/** Which screen of a module is at an address. Pure. */
interface Placed {
  readonly module: string
  /** Below the address of the module: `stock/$id`. Null for screens without an address. */
  readonly path: string | null
}
export interface Found<S> {
  readonly screen: S
  readonly params: Readonly<Record<string, string>>
}

/** A word of a path goes before a parameter. @param segments of the address, below that of the module. */
export function findScreen<S extends Placed>(
  screens: readonly S[],
  module: string,
  segments: readonly string[],
): Found<S> | undefined {
  const found = screens.flatMap(screen => {
    const params =
      screen.module === module && screen.path !== null ? match(screen.path.split('/'), segments) : undefined
    return params ? [{ screen, params }] : []
  })
  return found.toSorted((a, b) => specificity(a.screen).localeCompare(specificity(b.screen)))[0]
}

function match(path: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (path.length !== segments.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of path.entries()) {
    const segment = segments[index] ?? ''
    if (part.startsWith('$')) params[part.slice(1)] = segment
    else if (part !== segment) return undefined
  }
  return params
}

/** Sorts words before parameters, segment by segment. */
const specificity = ({ path }: Placed): string =>
  (path ?? '')
    .split('/')
    .map(part => (part.startsWith('$') ? '1' : '0'))
    .join('')
