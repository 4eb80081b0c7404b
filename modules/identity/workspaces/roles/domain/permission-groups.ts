/** Permissions by area, as roles and API keys choose them. Pure. */
import { byCodeUnits, defineTexts, type LocalText } from '@larder-dev/larder/kernel'
import { anyCovers, type PermissionEntry } from '@larder-dev/larder/kernel/internal'

export interface PermissionBox {
  /** A permission, or a pattern such as `media.*`. */
  readonly key: string
  /** Empty for a pattern that has no title. */
  readonly title: LocalText
  readonly checked: boolean
  /** False if the caller lacks it. */
  readonly grantable: boolean
}
export interface PermissionGroup {
  /** The name of the area, for example `Media`. */
  readonly area: string
  /** The pattern for the whole area, for example `media.*`. */
  readonly all: PermissionBox
  readonly boxes: readonly PermissionBox[]
  readonly open: boolean
}

export interface NamedPermission {
  /** A permission, or a pattern such as `media.*`. */
  readonly key: string
  /** The name of the area if the pattern is for the whole of it, otherwise empty. */
  readonly area: string
  /** Empty for a pattern or a permission that has no title. */
  readonly title: LocalText
}

const TITLES = defineTexts({ everything: 'All permissions, including future ones', area: 'Everything in this area' })
const AREA = /^[^.]+\.\*$/

const areaOf = (key: string): string => key.slice(0, key.indexOf('.'))
const areaTitle = (area: string): string => (area.charAt(0).toUpperCase() + area.slice(1)).replaceAll('_', ' ')

/** @param granted the caller's patterns. @param chosen those of the role or key. */
export function groupPermissions(
  permissions: readonly PermissionEntry[],
  granted: readonly string[],
  chosen: readonly string[],
): readonly PermissionGroup[] {
  const box = (key: string, title: LocalText): PermissionBox => ({
    key,
    title,
    checked: chosen.includes(key),
    grantable: anyCovers(granted, key),
  })
  const tenant = permissions.filter(({ scope }) => scope === 'tenant')
  const areas = [...new Set(tenant.map(({ key }) => areaOf(key)))].sort(byCodeUnits)
  return areas.map(area => {
    const all = `${area}.*`
    const known = tenant.filter(({ key }) => areaOf(key) === area)
    const patterns = chosen.filter(key => key !== all && areaOf(key) === area && key.endsWith('.*'))
    const boxes = [...known.map(({ key, title }) => box(key, title)), ...patterns.map(key => box(key, ''))]
    const group = { area: areaTitle(area), all: box(all, ''), boxes }
    return { ...group, open: [group.all, ...boxes].some(({ checked }) => checked) }
  })
}

/** What a role or key holds, in its order. */
export const namePermissions = (
  permissions: readonly PermissionEntry[],
  held: readonly string[],
): readonly NamedPermission[] =>
  held.map(key => {
    if (key === '*') return { key, area: '', title: TITLES.everything }
    if (AREA.test(key)) return { key, area: areaTitle(areaOf(key)), title: TITLES.area }
    return { key, area: '', title: permissions.find(permission => permission.key === key)?.title ?? '' }
  })
