/** Mail texts that tenants write in place of a template. Their cost is unknown, so worker threads process them. */
import {
  fieldError,
  type LocalMailText,
  type MailText,
  SECOND,
  templateProblems,
  unworded,
  type WorkerPool,
  type WorkerTask,
} from '@larder-dev/larder/kernel/internal'
import type { Data } from './engine.ts'
import { limitReason, templateFailed } from './mail-failure.ts'
import type { RenderedParts, renderOverride, validateOverride } from './mail-override-task.ts'

const file = new URL('./mail-override-task.js', import.meta.url)
const validateTask: WorkerTask<typeof validateOverride> = { file, name: 'validateOverride' }
const renderTask: WorkerTask<typeof renderOverride> = { file, name: 'renderOverride' }
/** The limit for all parts together, compilation included. */
const TIMEOUT_MS = SECOND

export interface OverrideRenderer {
  /** Throws problem `template_invalid` with every error. */
  validate(text: MailText, tenantId: string): Promise<void>
  /** @param key of the template that the text overrides. Throws problems `template_invalid` and `template_failed`. */
  render(key: string, text: LocalMailText, data: Data, tenantId: string): Promise<RenderedParts>
}

export function createOverrideRenderer(workerPool: WorkerPool): OverrideRenderer {
  return {
    async validate(text, tenantId) {
      const errors = await workerPool
        .run(validateTask, toMailText(text), { tenantId, timeoutMs: TIMEOUT_MS })
        .catch(error => {
          const reason = limitReason(error)
          if (reason === undefined) throw error
          return [fieldError('/html', 'too_costly', unworded(reason))]
        })
      if (errors.length > 0) throw templateProblems.template_invalid({}, { errors })
    },
    async render(key, text, data, tenantId) {
      const input = { text: toMailText(text), data, locale: text.locale }
      const result = await workerPool.run(renderTask, input, { tenantId, timeoutMs: TIMEOUT_MS }).catch(error => {
        const reason = limitReason(error)
        throw reason === undefined ? error : templateFailed(key, { message: reason, missing: undefined })
      })
      if ('errors' in result) throw templateProblems.template_invalid({}, { errors: result.errors })
      if ('fault' in result) throw templateFailed(key, result.fault)
      return result.parts
    },
  }
}

/** Without the other columns of a stored row. */
const toMailText = ({ subject, preheader, html, text }: MailText): MailText => ({ subject, preheader, html, text })
