/** The editor of an email template, with a preview in every language. */

import { useEffect, useState } from 'react'
import {
  type Api,
  crumbsOf,
  ErrorState,
  Loading,
  labelOf,
  languageName,
  languageStore,
  Page,
  type Resource,
  type ResourceScreenProps,
  Tabs,
  UnsavedChanges,
  useGet,
  useRefresh,
  useReload,
  useScreenTexts,
} from '../../public.ts'
import './comms.css'
import { TemplateActions } from './TemplateActions.tsx'
import { type Draft, TemplateFields } from './TemplateFields.tsx'
import { TemplatePreview } from './TemplatePreview.tsx'
import { texts } from './texts.ts'

export default function TemplateScreen({ resource, id }: ResourceScreenProps) {
  const t = useScreenTexts(texts)
  const { data, error, isPending, refetch } = useGet('/v1/communications/templates')
  const template = data?.data.find(({ key }) => key === id)
  const [locale, setLocale] = useState<string>()
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (isPending) return <Loading />
  if (!template) return <ErrorState error={new Error(id)} />
  const language = languageStore.get()
  const [first = 'en'] = template.locales
  const shown = locale ?? (template.locales.includes(language) ? language : first)
  return (
    <Page title={labelOf(resource, template)} crumbs={crumbsOf(resource)}>
      <Tabs
        label={t.languages}
        selected={shown}
        onSelect={setLocale}
        tabs={template.locales.map(each => ({
          id: each,
          title: `${languageName(each)}${template.own.includes(each) ? ` · ${t.own}` : ''}`,
          render: () => <TemplateText key={each} resource={resource} template={template} locale={each} />,
        }))}
      />
    </Page>
  )
}

interface TextProps {
  readonly resource: Resource
  readonly template: Api.EmailTemplate
  readonly locale: string
}

function TemplateText(props: TextProps) {
  const { template, locale } = props
  const { data, error, isPending, refetch } = useGet('/v1/communications/templates/{key}', {
    path: { key: template.key },
    query: { locale },
    // A refetch must not replace what is being typed.
    followsFocus: false,
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (isPending) return <Loading />
  return <Editor {...props} text={data} />
}

function Editor({ resource, template, locale, text }: TextProps & { readonly text: Api.EmailTemplateText }) {
  const reload = useReload()
  const refreshList = useRefresh(resource)
  const stored: Draft = { subject: text.subject, preheader: text.preheader, html: text.html, text: text.text }
  const [draft, setDraft] = useState(stored)
  const [failure, setFailure] = useState<unknown>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a saved or restored text replaces the draft
  useEffect(() => setDraft(stored), [text])
  const isDirty = JSON.stringify(draft) !== JSON.stringify(stored)
  const refresh = () => Promise.all([reload('/v1/communications/templates'), refreshList()])
  const canEdit = resource.operations.update !== undefined
  return (
    <div className="template-editor">
      <div>
        <TemplateActions
          resource={resource}
          templateKey={template.key}
          locale={locale}
          isSendable={template.sendable}
          isOwn={text.source === 'tenant'}
          isDirty={isDirty}
          draft={draft}
          onFailure={setFailure}
          onDone={refresh}
        />
        <TemplateFields draft={draft} isReadOnly={!canEdit} failure={failure} onChange={setDraft} />
      </div>
      <TemplatePreview templateKey={template.key} locale={locale} draft={draft} />
      <UnsavedChanges isDirty={isDirty} />
    </div>
  )
}
