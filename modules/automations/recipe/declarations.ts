/** The permission to press each button, which the roles of the button have. */
import type { Declarations, LocalText } from '@larder-dev/larder/kernel'
import type { DeclaredAutomations } from '../domain/definition/declared.ts'
import { pressPermission } from '../domain/names.ts'

export function declarations(automations: DeclaredAutomations): Pick<Declarations, 'permissions' | 'grants'> {
  const buttons = Object.entries(automations).flatMap(([key, { button }]) => (button ? [{ key, button }] : []))
  const grants: Record<string, string[]> = {}
  for (const { key, button } of buttons)
    for (const role of button.roles) {
      grants[role] ??= []
      grants[role].push(pressPermission(key))
    }
  const permissions: Record<string, LocalText> = Object.fromEntries(
    buttons.map(({ key, button }) => [pressPermission(key), button.label]),
  )
  return {
    permissions: Object.fromEntries(
      Object.entries(permissions).map(([key, title]) => [key, { title, customers: 'granted' as const }]),
    ),
    grants,
  }
}
