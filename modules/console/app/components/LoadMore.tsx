import { useTexts } from '../locales/index.ts'
import { Button } from './Button.tsx'

interface Props {
  readonly list: { readonly hasNextPage: boolean; readonly isFetchingNextPage: boolean; fetchNextPage(): unknown }
  readonly text?: string
}

/** Loads the next page of a list; nothing at its end. */
export function LoadMore({ list, text }: Props) {
  const t = useTexts()
  if (!list.hasNextPage) return null
  return (
    <Button kind="quiet" isDisabled={list.isFetchingNextPage} onPress={() => list.fetchNextPage()}>
      {text ?? t('loadMore')}
    </Button>
  )
}
