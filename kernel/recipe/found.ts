import type { LoadedModule } from './load.ts'
import type { MapTree, Path } from './tree.ts'

/** What is known of a recipe after its shape was checked. */
export interface Found {
  readonly tree: MapTree
  readonly services: readonly LoadedModule[]
  readonly modules: readonly LoadedModule[]
  /** Some module could not be loaded: an unknown name may belong to it. */
  readonly lost: boolean
  /** Returns false where the value at `path`, or one that contains it, doesn't match its schema. */
  intact(path: Path): boolean
  /** Returns true where something below `path` doesn't match its schema. */
  brokenBelow(path: Path): boolean
}
