import { CampaignControl, type CampaignControlDeps } from './control.ts';
import { Expander, type ExpanderDeps } from './expander.ts';
import { CampaignFinisher } from './finisher.ts';
import { unrenderedOf } from './rows.ts';
import type { CampaignSource } from './source.ts';

interface CampaignEngineDeps extends ExpanderDeps, Omit<CampaignControlDeps, 'sources'> {}

/** Campaigns of every channel. Each channel adds its source before anything runs. */
export class CampaignEngine {
  readonly control: CampaignControl;
  readonly finisher: CampaignFinisher;
  readonly expander: Expander;
  readonly #sources = new Map<number, CampaignSource>();

  constructor(deps: CampaignEngineDeps) {
    const sources = this.#sources;
    this.expander = new Expander(deps, sources);
    this.control = new CampaignControl({ ...deps, sources });
    this.finisher = new CampaignFinisher({ ...deps, sources });
  }

  add(source: CampaignSource): void {
    this.#sources.set(source.channel, source);
  }

  /** Stores the campaigns of shipments to contact lists (CampaignSource). */
  async storeListCampaigns(
    ...shipments: Parameters<NonNullable<CampaignSource['storeListCampaigns']>>
  ): Promise<void> {
    const source = [...this.#sources.values()].find(({ storeListCampaigns }) => storeListCampaigns);
    if (!source?.storeListCampaigns) throw new Error('no channel sends to contact lists');
    await source.storeListCampaigns(...shipments);
  }

  /** The interface of campaigns for cancelling. */
  get unrendered() {
    // Evaluated at the cancellation, because channels add their sources later.
    return unrenderedOf((channel) => this.#sources.get(channel));
  }
}
