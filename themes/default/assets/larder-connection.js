// @ts-check
/** One RTCPeerConnection to one peer, negotiated perfectly (W3C WebRTC, 10.7). Part of larder-realtime.js. */

/**
 * @typedef {object} Reports
 * @property {(type: 'description' | 'candidate', data: object) => void} say
 * @property {(state: string) => void} state
 * @property {(stream: MediaStream) => void} stream
 * @property {() => void} lost The other side must begin anew: this one may not offer.
 * @property {boolean} offers
 */

/** One RTCPeerConnection, negotiated perfectly. */
export class Connection {
  /** @type {RTCPeerConnection} */
  #peer
  #polite
  #reports
  /** @type {RTCConfiguration} */
  #rtc
  /** What is sent. @type {MediaStream | undefined} */
  #media
  #makingOffer = false
  #ignoreOffer = false
  #settingAnswer = false
  /** Candidates that came before their description. @type {(RTCIceCandidateInit | null)[]} */
  #early = []
  /** One frame after the other. */
  #turn = Promise.resolve()

  /** @param {string} id @param {boolean} polite @param {RTCConfiguration} rtc @param {Reports} reports */
  constructor(id, polite, rtc, reports) {
    this.id = id
    this.#polite = polite
    this.#reports = reports
    this.#rtc = rtc
    this.#peer = this.#open()
  }

  #open() {
    const { say, state, stream } = this.#reports
    const peer = new RTCPeerConnection(this.#rtc)
    peer.onicecandidate = ({ candidate }) => say('candidate', { candidate: candidate?.toJSON() ?? null })
    peer.onnegotiationneeded = () => this.#offer()
    peer.ontrack = ({ streams, track }) => stream(streams[0] ?? new MediaStream([track]))
    peer.onconnectionstatechange = () => {
      state(peer.connectionState)
      if (peer.connectionState === 'failed') this.mend()
    }
    return peer
  }

  /** Takes its first offer back for good: after a rollback of it Chromium may find no candidate, and says nothing. */
  #renew() {
    this.close()
    this.#makingOffer = false
    this.#peer = this.#open()
    this.send(this.#media)
  }

  get alive() {
    return this.#peer.connectionState !== 'closed' && this.#peer.connectionState !== 'failed'
  }

  /** @param {MediaStream | undefined} media */
  send(media) {
    this.#media = media
    const senders = this.#peer.getSenders()
    for (const track of media?.getTracks() ?? []) {
      const sender = senders.find(one => one.track?.kind === track.kind)
      if (sender) void sender.replaceTrack(track)
      else this.#peer.addTrack(track, /** @type {MediaStream} */ (media))
    }
    const kinds = media?.getTracks().map(({ kind }) => kind) ?? []
    for (const sender of senders) if (sender.track && !kinds.includes(sender.track.kind)) this.#peer.removeTrack(sender)
  }

  /** Looks for another way to the other side, if this one no longer leads there. */
  mend() {
    if (!['failed', 'disconnected'].includes(this.#peer.connectionState)) return
    if (this.#reports.offers) this.#peer.restartIce()
    else this.#reports.lost()
  }

  /** @param {RTCConfiguration} rtc */
  configure(rtc) {
    this.#rtc = rtc
    if (this.#peer.signalingState !== 'closed') this.#peer.setConfiguration(rtc)
  }

  /** @param {{ description?: RTCSessionDescriptionInit, candidate?: RTCIceCandidateInit | null }} data */
  take(data) {
    this.#turn = this.#turn
      .then(() => (data.description ? this.#described(data.description) : this.#found(data.candidate ?? null)))
      .catch(error => {
        if (this.#peer.signalingState !== 'closed') this.#reports.state(`error: ${error.message}`)
      })
  }

  async #offer() {
    const peer = this.#peer
    try {
      this.#makingOffer = true
      await peer.setLocalDescription()
      if (peer === this.#peer) this.#reports.say('description', { description: peer.localDescription })
    } catch (error) {
      if (peer.signalingState !== 'closed') throw error
    } finally {
      if (peer === this.#peer) this.#makingOffer = false
    }
  }

  /** @param {RTCSessionDescriptionInit} description */
  async #described(description) {
    const ready = !this.#makingOffer && (this.#peer.signalingState === 'stable' || this.#settingAnswer)
    const meets = description.type === 'offer' && !ready
    this.#ignoreOffer = !this.#polite && meets
    if (this.#ignoreOffer) {
      // What came before it belongs to it, where nothing else was ever described.
      if (!this.#peer.remoteDescription) this.#early = []
      return
    }
    if (meets && this.#peer.connectionState === 'new') this.#renew()
    this.#settingAnswer = description.type === 'answer'
    await this.#peer.setRemoteDescription(description)
    this.#settingAnswer = false
    for (const candidate of this.#early.splice(0)) await this.#found(candidate)
    if (description.type !== 'offer') return
    await this.#peer.setLocalDescription()
    this.#reports.say('description', { description: this.#peer.localDescription })
  }

  /** @param {RTCIceCandidateInit | null} candidate */
  async #found(candidate) {
    if (!this.#peer.remoteDescription) {
      // That of an offer that was passed over is of no use: what is taken instead brings its own.
      if (!this.#ignoreOffer) this.#early.push(candidate)
      return
    }
    try {
      await this.#peer.addIceCandidate(candidate ?? undefined)
    } catch (error) {
      if (!this.#ignoreOffer) throw error
    }
  }

  async stats() {
    const all = [...(await this.#peer.getStats()).values()]
    const sum = (/** @type {string} */ type, /** @type {string} */ field) =>
      all.reduce((total, report) => total + (report.type === type ? (report[field] ?? 0) : 0), 0)
    const pair = all.find(
      ({ type, nominated, state }) => type === 'candidate-pair' && nominated && state === 'succeeded',
    )
    const local = all.find(({ id }) => id === pair?.localCandidateId)
    return {
      state: this.#peer.connectionState,
      framesDecoded: sum('inbound-rtp', 'framesDecoded'),
      framesSent: sum('outbound-rtp', 'framesSent'),
      candidateType: local?.candidateType ?? null,
    }
  }

  close() {
    this.#peer.onconnectionstatechange = this.#peer.onicecandidate = this.#peer.onnegotiationneeded = null
    this.#peer.close()
  }
}
