export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
}

/** Sends e-mail. Without SMTP_URL it is not configured: whoever wants to send asks first, and does without. */
export interface Mailer {
  readonly isConfigured: boolean;
  send(mail: Mail): Promise<void>;
}
