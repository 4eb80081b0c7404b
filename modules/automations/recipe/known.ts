/** The actions that a recipe's steps can name. Pure. */
import { type Action, isAction, type ValidatedRecipe } from '@larder-dev/larder/kernel'

export const actionsOf = ({
  services,
  modules,
}: Pick<ValidatedRecipe, 'services' | 'modules'>): ReadonlyMap<string, Action> =>
  new Map(
    [...services, ...modules].flatMap(({ key, module }) =>
      Object.entries(module.actions ?? {}).flatMap(([name, each]) =>
        isAction(each) ? [[`${key}.${name}`, each] as const] : [],
      ),
    ),
  )
