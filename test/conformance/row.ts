/** One thing that the interface, or what closes its gaps, asks of the service. */
export interface Row {
  /** Unique in its chapter. Of a status: its number. */
  readonly id: string;
  readonly says: string;
}

export interface Chapter {
  /** Unique; the operation of the interface, or the subject. With the id of a row it is what tests name: `B11.again`. */
  readonly key: string;
  readonly title: string;
  /** Whether each of its rows has to be shown in XML and in JSON. */
  readonly bothForms: boolean;
  readonly rows: readonly Row[];
}

export const row = <const Id extends string>(id: Id, says: string) => ({ id, says });

/** A chapter, whose type has the keys of its rows. */
export const chapter = <const C extends Chapter>(content: C): C => content;
