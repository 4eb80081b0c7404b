/** Renders the draft with the sample data while the person types. */

import { api, keys, MINUTE, Section, useLoad, useScreenTexts, useSettled } from '../../public.ts'
import { MailFrame } from './MailFrame.tsx'
import type { Draft } from './TemplateFields.tsx'
import { texts } from './texts.ts'

/** The route allows 60 previews a minute. */
const TYPING_PAUSE_MS = 1200

interface Props {
  readonly templateKey: string
  readonly locale: string
  readonly draft: Draft
}

export function TemplatePreview({ templateKey, locale, draft }: Props) {
  const t = useScreenTexts(texts)
  const shown = useSettled(draft, TYPING_PAUSE_MS)
  const { data, error } = useLoad(
    keys.load('/v1/communications/templates/{key}/preview', templateKey, locale, shown),
    async signal => {
      const input = { path: { key: templateKey }, body: { locale, draft: shown }, signal }
      return (await api.post('/v1/communications/templates/{key}/preview', input)).body
    },
    { keepsLast: true, freshMs: MINUTE, isRetried: false },
  )
  return (
    <Section className="template-preview" title={t.preview}>
      {error && (
        <p className="notice danger" role="alert">
          {t.previewFailed} {error.message}
        </p>
      )}
      {data && (
        <>
          <p className="preview-subject">{data.subject}</p>
          <MailFrame title={t.frame} html={data.html} />
        </>
      )}
    </Section>
  )
}
