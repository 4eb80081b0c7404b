/** Dead letters, retried one by one or several at once. */
import { useSearch } from '@tanstack/react-router'
import { Page } from '../../components/Page.tsx'
import type { ResourceScreenProps } from '../../data/screens.ts'
import { useScreenTexts } from '../../locales/index.ts'
import { areaCrumbs } from '../../resource/generic.ts'
import { ResourceList } from '../../resource/ResourceList.tsx'
import { texts } from './texts.ts'

export default function DeadLetters({ resource }: ResourceScreenProps) {
  const t = useScreenTexts(texts)
  const search = useSearch({ strict: false })
  return (
    <Page title={resource.title} crumbs={areaCrumbs(resource.module)}>
      {resource.actions.length > 0 && <p className="lead">{t.retryHint}</p>}
      <ResourceList resource={resource} scope={{}} search={search} />
    </Page>
  )
}
