/** Screens of the product's modules, as `GET /v1/console/screens` lists them. */
import { useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { hasModuleScreens, workspace } from '../browser/document.ts'
import { loadScreenTranslations } from '../locales/dictionary.ts'
import { languageStore } from '../locales/index.ts'
import { api } from './api.ts'
import type { ConsoleScreen, ConsoleScreenList } from './api-types.ts'
import { earlyData } from './early.ts'
import { keys } from './keys.ts'

export const useModuleScreens = () =>
  useQuery({
    queryKey: keys.load('/v1/console/screens', document.documentElement.lang),
    queryFn: async ({ signal }) => (await api.get('/v1/console/screens', { signal })).body.data,
    enabled: hasModuleScreens,
    ...earlyData('/v1/console/screens', {}, ({ data }: ConsoleScreenList) => data),
    // Most products have none: nothing waits for them.
    ...(!hasModuleScreens && { initialData: [] }),
    staleTime: 300_000,
  })

type Exports<Props> = { readonly default?: ComponentType<Props> }

/** Loads the script of a screen. Rejects if it can't be loaded or has no component. */
export async function loadModuleScreen<Props>({
  module,
  name,
}: ConsoleScreen): Promise<{ readonly default: ComponentType<Props> }> {
  const path = `/console/screens/${workspace?.slug}/${module}/${name}`
  const [exported] = await Promise.all([
    import(/* @vite-ignore */ path) as Promise<Exports<Props>>,
    loadScreenTranslations(languageStore.get()),
  ])
  if (typeof exported.default !== 'function') throw new Error('The file has no default export that is a component.')
  return { default: exported.default }
}
