/** Renders the draft with the sample data while the person types. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { MINUTE } from '../../../../../kernel/base/units.ts'
import { Section } from '../../components/Section.tsx'
import { callApi } from '../../data/api.ts'
import { useSettled } from '../../data/settled.ts'
import { useScreenTexts } from '../../locales/index.ts'
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
  const { data, error } = useQuery({
    queryKey: ['email-preview', templateKey, locale, shown],
    queryFn: async ({ signal }) => {
      const { body } = await callApi<{ readonly subject: string; readonly html: string }>({
        method: 'POST',
        path: `/v1/communications/templates/${encodeURIComponent(templateKey)}/preview`,
        body: { locale, draft: shown },
        signal,
      })
      return body
    },
    placeholderData: keepPreviousData,
    staleTime: MINUTE,
    retry: false,
  })
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
