/** Dead letters, retried one by one or several at once. */
import { areaCrumbs, Page, ResourceList, type ResourceScreenProps, useScreenTexts, useSearch } from '../../public.ts'
import { texts } from './texts.ts'

export default function DeadLetters({ resource }: ResourceScreenProps) {
  const t = useScreenTexts(texts)
  const search = useSearch()
  return (
    <Page title={resource.title} crumbs={areaCrumbs(resource.module)}>
      {resource.actions.length > 0 && <p className="lead">{t.retryHint}</p>}
      <ResourceList resource={resource} scope={{}} search={search} />
    </Page>
  )
}
