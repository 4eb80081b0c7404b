/** The schema of `automations` for editors: it completes the events and the actions of the product's modules. */
import { type Action, type DeclaredModule, isAction, pickText, type SectionSchemas } from '@larder-dev/larder/kernel'
import { automationSchema, automationsSchema, stepSchema } from './sections.ts'

export function editorSchemas(modules: readonly DeclaredModule[]): SectionSchemas {
  const events = modules.flatMap(({ module }) => Object.keys(module.events ?? {})).sort()
  const actions = modules.flatMap(({ key, module }) =>
    Object.entries(module.actions ?? {}).flatMap(([name, action]) =>
      isAction(action) ? [[`${key}.${name}`, inputSchema(action)] as const] : [],
    ),
  )
  return { automations: automationsSchema(automationSchema(stepSchema(Object.fromEntries(actions)), events)) }
}

/** Each value may be a placeholder, so that types are left to the check. */
function inputSchema({ title, description, input, effects }: Action): object {
  const properties = Object.entries(input.properties).map(([name, schema]) => {
    const { description: about, examples } = schema as { description?: string; examples?: readonly unknown[] }
    return [name, { ...(about && { description: about }), ...(examples && { examples }) }]
  })
  return {
    type: 'object',
    description: describe({ title, effects, ...(description && { description }) }),
    properties: Object.fromEntries(properties),
    ...(input.required && { required: input.required }),
    additionalProperties: false,
  }
}

/** The description of an action; one that reaches another system says that it can be repeated. */
export const describe = ({ title, description, effects }: Pick<Action, 'title' | 'description' | 'effects'>): string =>
  [
    pickText(description ?? title, 'en', 'en'),
    ...(effects === 'outside' ? ['It runs at least once, with the same key in each attempt'] : []),
  ].join('. ')
