/** The view of the partial `permissions`. */
import type { Caller } from '@larder-dev/larder/kernel'
import { type AccessCatalogue, anyCovers } from '@larder-dev/larder/kernel/internal'
import { checkedValues } from '../../../pages/form.ts'
import { groupPermissions, type PermissionGroup } from '../domain/permission-groups.ts'

const PREFIX = 'permission:'

export interface PermissionPicker {
  readonly groups: readonly PermissionGroup[]
  readonly everything: { readonly checked: boolean; readonly grantable: boolean }
}

export const permissionPicker = (
  access: AccessCatalogue,
  caller: Caller,
  chosen: readonly string[],
): PermissionPicker => ({
  // A permission that counts in the operator's workspace only does nothing in a role or key of another one.
  groups: groupPermissions(
    access.permissions().filter(({ key, operatorOnly }) => !operatorOnly || caller.can(key)),
    caller.permissions,
    chosen,
  ),
  everything: { checked: chosen.includes('*'), grantable: anyCovers(caller.permissions, '*') },
})

/** Browsers don't send disabled checkboxes, so what the caller can't grant stays as it was. */
export function chosenPermissions(
  form: Readonly<Record<string, string>>,
  caller: Caller,
  before: readonly string[],
): string[] {
  const locked = before.filter(pattern => !anyCovers(caller.permissions, pattern))
  return [...new Set([...locked, ...checkedValues(form, PREFIX)])]
}
