/** What steps do, in the words of their actions. */
import { type BoundAction, type Deps, type LocalText, once, pickText } from '@larder-dev/larder/kernel'
import type { Automation, Step } from '../../domain/definition/automation.ts'
import { actionsOf } from '../runs/actions.ts'

export interface NextStep {
  readonly position: number
  readonly name: string | null
  readonly action: string
  readonly title: string
}
export interface StepTitles {
  /** @param action `comms.mail`, `wait` or `ask`. The name itself for one that no module has any more. */
  of(action: string, locale: string): string
  /** The steps that follow those that have begun. */
  after(automation: Automation, begun: readonly { readonly position: number }[], locale: string): NextStep[]
}

const WORDS: ReadonlyMap<string, LocalText> = new Map([
  ['wait', { en: 'Wait', de: 'Warten' }],
  ['ask', { en: 'Ask a question', de: 'Eine Frage stellen' }],
])

export const nameOf = (step: Step): string => (step.kind === 'action' ? step.action : step.kind)

export function createStepTitles({ registry, product }: Deps<'registry' | 'product'>): StepTitles {
  const actions = once((): ReadonlyMap<string, BoundAction> => actionsOf(registry))
  const of = (action: string, locale: string): string => {
    const title = WORDS.get(action) ?? actions().get(action)?.title
    return title === undefined ? action : pickText(title, locale, product.locales.default)
  }
  return {
    of,
    after({ steps }, begun, locale) {
      const last = Math.max(-1, ...begun.map(({ position }) => position))
      return steps.flatMap((step, position) => {
        const action = nameOf(step)
        return position > last ? [{ position, name: step.as, action, title: of(action, locale) }] : []
      })
    },
  }
}
