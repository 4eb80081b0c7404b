/** Orders the places of each layer so that few edges cross: barycenter sweeps, of which the best is kept. Pure. */

/** A place in a layer: of a node, or of an edge that crosses the layer. */
export interface Place {
  readonly id: string
  readonly isNode: boolean
  readonly above: Place[]
  readonly below: Place[]
  x: number
}
const SWEEPS = 24

type Layers = readonly (readonly Place[])[]

export function orderLayers(layers: Layers): Layers {
  let best = layers
  let fewest = countCrossings(layers)
  let current = layers
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep++) {
    current = sweepOnce(current, sweep % 2 === 0)
    const crossings = countCrossings(current)
    if (crossings < fewest) [best, fewest] = [current, crossings]
  }
  return best
}

function sweepOnce(layers: Layers, isDown: boolean): Layers {
  const ordered: (readonly Place[])[] = []
  for (const layer of isDown ? layers : layers.toReversed()) {
    const near = ordered.at(-1)
    ordered.push(near ? sortByMean(layer, indexesOf(near), isDown) : layer)
  }
  return isDown ? ordered : ordered.toReversed()
}

/** Places without neighbors keep their index. */
function sortByMean(layer: readonly Place[], indexes: ReadonlyMap<Place, number>, isDown: boolean): Place[] {
  const keyed = layer.map((place, index) => {
    const near = (isDown ? place.above : place.below).map(other => indexes.get(other) ?? 0)
    return { place, key: near.length === 0 ? index : near.reduce((sum, value) => sum + value, 0) / near.length }
  })
  return keyed.sort((a, b) => a.key - b.key).map(({ place }) => place)
}

const indexesOf = (layer: readonly Place[]): ReadonlyMap<Place, number> =>
  new Map(layer.map((place, index) => [place, index]))

export function countCrossings(layers: Layers): number {
  let count = 0
  for (const [index, layer] of layers.entries()) {
    const below = indexesOf(layers[index + 1] ?? [])
    const ends = layer.flatMap(place => place.below.map(other => below.get(other) ?? 0).sort((a, b) => a - b))
    for (let i = 0; i < ends.length; i++)
      for (let j = i + 1; j < ends.length; j++) if ((ends[i] ?? 0) > (ends[j] ?? 0)) count++
  }
  return count
}
