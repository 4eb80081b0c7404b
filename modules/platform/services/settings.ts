/** What the product runs with: environment variables, and options of modules. */
import type { Deps, SettingValue } from '@larder-dev/larder/kernel'
import { type OptionSchema, optionSettings } from '../domain/option-settings.ts'
import type { ListedSetting } from '../records/setting.ts'

type SettingDeps = Deps<'settings' | 'registry' | 'inspector'>

export function listSettings({ settings, registry, inspector }: SettingDeps): ListedSetting[] {
  const owners = new Map(
    registry
      .declared()
      .flatMap(({ key, module }) => (module.settings?.variables ?? []).map(({ name }) => [name, key] as const)),
  )
  const variables = settings.variables.map(variable => toVariable(variable, owners.get(variable.name) ?? 'kernel'))
  const schemas = new Map(
    registry.declared().map(({ key, module }) => [key, module.options as OptionSchema | undefined]),
  )
  const options = inspector
    .modules()
    .flatMap(({ name: owner, options }) =>
      optionSettings(schemas.get(owner) ?? {}, options).map(
        (option): ListedSetting => ({ id: `${owner}.${option.name}`, kind: 'option', owner, ...option }),
      ),
    )
  return [...variables, ...options]
}

function toVariable(variable: SettingValue, owner: string): ListedSetting {
  const { name, about, default: standard = null, secret = false, value } = variable
  return {
    id: name,
    kind: 'variable',
    owner,
    name,
    description: about,
    value: value === null ? standard : withoutCredentials(value),
    source: value === null ? 'default' : 'environment',
    secret,
  }
}

const withoutCredentials = (text: string): string => text.replace(/(\b[a-z][a-z0-9+.-]*:\/\/)[^/@\s]+@/gi, '$1***@')
