/** The kinds of screens, and what each is given. */
import type { ComponentType } from 'react'
import type { Localized } from '../locales/index.ts'
import type { Me } from './api-types.ts'
import { rightsOf } from './permissions.ts'
import type { Resource, Row } from './resources.ts'

/** What a screen with a path of its own is given. */
export interface ScreenProps<Parameter extends string = string> {
  /** Set if the screen replaces one of a resource. */
  readonly resource?: Resource
  /** Parameters of the path, such as `id`. */
  readonly params: Readonly<Record<Parameter, string>>
}
/** What a screen of a resource is given. */
export interface ResourceScreenProps extends ScreenProps {
  readonly resource: Resource
  /** Key of the record; empty for lists and new records. */
  readonly id: string
}
type LoadScreen<Props> = () => Promise<{ readonly default: ComponentType<Props> }>

interface Visible {
  /** Group of the navigation; by default that of the resources of its area. */
  readonly group?: string
  readonly icon?: string
  /** Shown to people with this permission only. */
  readonly permission?: string
  /** Shown to people with this permission for the whole installation only. */
  readonly platformPermission?: string
  /** Shown to people who may list this resource only. */
  readonly needs?: string
}
export interface PathScreen extends Visible {
  /** Below `/console`: `/features/evaluate`, `/media/$id`. */
  readonly path: string
  readonly title: Localized
  /** Module under which the navigation lists it; hidden from the navigation with `null`. */
  readonly area: string | null
  readonly load: LoadScreen<ScreenProps>
}
/** Leads to a page of the product, outside the console, in the workspace of the console. */
export interface PageLink extends Visible {
  readonly page: string
  readonly title: Localized
  readonly area: string
  /** Whether it stands for the screens of its area in the workspaces whose console doesn't have them. */
  readonly isInstead?: boolean
  /** Shown in products of this audience only. */
  readonly audience?: 'teams' | 'people'
}
/** What a person does rather than opens, in the command palette: "Invite people". */
export interface Command extends Visible {
  readonly command: Localized
  /** Below `/console`, or the page of the product with `isPage`. */
  readonly to: string
  readonly search?: Readonly<Record<string, unknown>>
  readonly isPage?: boolean
  readonly area: string
  /** Shown to people who may create records of this resource only. */
  readonly creates?: string
}
export interface ResourceScreen {
  /**
   * Id of the resource whose generic screen it replaces: `features.flags`. A name without a module is that of the operation
   * that returns the record: the screen is that of all resources which have it.
   */
  readonly resource: string
  readonly view: 'list' | 'record' | 'create' | 'edit'
  readonly load: LoadScreen<ResourceScreenProps>
}
/** What a tab of a record is given. */
export interface RecordTabProps<R = Row> {
  readonly resource: Resource
  readonly record: R
}
/** Adds a tab to the page of a record. */
export interface RecordTab<R = never> {
  readonly resource: string
  readonly tab: string
  readonly title: Localized
  readonly load: LoadScreen<RecordTabProps<R>>
}
export type Screen = PathScreen | PageLink | Command | ResourceScreen | RecordTab

export const mayOpen = (
  { permission, platformPermission, needs }: Visible,
  me: Me | undefined,
  resources: readonly Resource[],
): boolean => {
  const { may, mayOnPlatform } = rightsOf(me)
  return (
    (permission === undefined || may(permission)) &&
    (platformPermission === undefined || mayOnPlatform(platformPermission)) &&
    (needs === undefined || resources.some(({ id }) => id === needs))
  )
}
