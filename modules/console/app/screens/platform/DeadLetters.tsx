/** Dead letters, retried one by one or several at once. */
import { useSearch } from '@tanstack/react-router'
import { Page } from '../../components/Page.tsx'
import { useStore } from '../../data/store.ts'
import { languageStore } from '../../locales/index.ts'
import { crumbsOf } from '../../resource/generic.ts'
import { ResourceList } from '../../resource/ResourceList.tsx'
import type { ListSearch } from '../../router.tsx'
import type { ScreenProps } from '../registry.ts'
import { texts } from './texts.ts'

export default function DeadLetters({ resource }: ScreenProps) {
  const t = texts[useStore(languageStore)]
  const search = useSearch({ strict: false }) as ListSearch
  if (!resource) return null
  return (
    <Page title={resource.title} crumbs={crumbsOf({ ...resource, within: '' })}>
      {resource.actions.length > 0 && <p className="lead">{t.retryHint}</p>}
      <ResourceList resource={resource} scope={{}} search={search} />
    </Page>
  )
}
