import type { LoadedModule } from './load.ts'
import type { MapTree, Path } from './tree.ts'

/** The state of a recipe after its values were validated against their schemas. */
export interface CheckContext {
  readonly tree: MapTree
  readonly services: readonly LoadedModule[]
  readonly modules: readonly LoadedModule[]
  /** False if a module failed to load; then unknown names aren't reported. */
  readonly complete: boolean
  /** Returns false if the value at `path`, or one that contains it, doesn't match its schema. */
  isValid(path: Path): boolean
  /** Returns true if a value below `path` doesn't match its schema. */
  hasInvalidPart(path: Path): boolean
}
