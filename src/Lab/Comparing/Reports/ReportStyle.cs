namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>How the report looks, in light and in dark, on a phone and on paper. The text contains no character that HTML would encode.</summary>
internal static class ReportStyle
{
    /// <summary>The style sheet.</summary>
    public const string Text = """

        :root { --paper: #ffffff; --ink: #1a1e23; --muted: #59626d; --rule: #d5dae0; --faint: #eceff2; --panel: #f6f7f9; --link: #0b5a9d;
          --good: #0b6b45; --bad: #b3261e; --doubt: #7a5a00; }
        @media (prefers-color-scheme: dark) { :root { --paper: #14171a; --ink: #e4e7ea; --muted: #9da6b0; --rule: #3a4149; --faint: #262b31;
          --panel: #1b1f24; --link: #7cb8ee; --good: #5fd0a0; --bad: #ff8a80; --doubt: #e8c15a; } }
        * { box-sizing: border-box; }
        html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-behavior: auto; }
        body { margin: 0 auto; max-width: 1160px; padding: 20px 24px 48px; background: var(--paper); color: var(--ink);
          font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", Arial, sans-serif; overflow-wrap: anywhere; }
        h1 { font-size: 26px; line-height: 1.3; font-weight: 600; letter-spacing: -0.01em; max-width: 34em; margin: 0 0 16px; text-wrap: pretty; }
        h2 { font-size: 20px; line-height: 1.3; font-weight: 600; margin: 0 0 16px; }
        h3 { font-size: 16px; font-weight: 600; margin: 20px 0 4px; }
        p, ul, dl { margin: 0 0 12px; }
        a { color: var(--link); }
        :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 2px; }
        .skip { position: absolute; left: -999px; top: 0; background: var(--paper); padding: 8px 12px; }
        .skip:focus { left: 8px; z-index: 1; }
        .lead { font-size: 18px; line-height: 1.45; max-width: 48em; margin: -8px 0 20px; }
        .kicker { color: var(--muted); font-size: 14px; margin-bottom: 8px; }
        .warning { border-left: 4px solid var(--bad); padding: 4px 12px; font-weight: 600; }
        .none { color: var(--muted); border: 1px dashed var(--rule); border-radius: 4px; padding: 16px; max-width: 760px; }
        .verdicts { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 6px 20px; }
        .verdicts li { white-space: normal; }
        .rates { list-style: none; padding: 0; max-width: 760px; display: grid; gap: 0 12px; align-items: center;
          grid-template-columns: fit-content(22rem) minmax(6rem, 1fr) fit-content(18rem) auto; }
        .rates li { display: contents; }
        .events { max-width: 920px; } .events p, .events figure { margin-bottom: 4px; } .events .notes { font-size: 13px; max-width: none; margin-bottom: 12px; }
        .wait { stroke: var(--muted); stroke-width: 1; opacity: 0.4; fill: none; } .held { stroke-dasharray: 1 3; } .checkpoint { fill: var(--muted); opacity: 0.28; }
        .rates .bar { width: 100%; height: 12px; } .rates .figure { font-size: 14px; font-variant-numeric: tabular-nums; }
        .next { font-size: 14px; max-width: 920px; } .option { white-space: nowrap; } .next p { margin: 0 0 4px; } .next pre { margin: 0 0 12px; padding: 8px 12px; background: var(--panel); white-space: pre-wrap; }
        .sentences { padding-left: 20px; max-width: 80ch; font-size: 15px; color: var(--muted); }
        .badge { font-size: 13px; font-weight: 600; white-space: nowrap; }
        .clean { color: var(--good); } .failed { color: var(--bad); } .undecided { color: var(--doubt); }
        .symbol { vertical-align: -2px; margin-right: 6px; flex: none; }
        nav { border-top: 1px solid var(--rule); border-bottom: 1px solid var(--rule); margin: 24px 0 0; padding: 8px 0; font-size: 14px; }
        nav ul { list-style: none; padding: 0; margin: 0; display: flex; flex-wrap: wrap; gap: 2px 18px; }
        nav a { display: inline-block; padding: 4px 0; text-decoration: none; }
        nav a:hover { text-decoration: underline; }
        section { padding: 32px 0 24px; border-bottom: 1px solid var(--faint); }
        .columns { display: grid; grid-template-columns: minmax(0, 1fr); gap: 8px 40px; }
        .notes { font-size: 14px; color: var(--muted); max-width: 72ch; }
        .body { min-width: 0; }
        figure { margin: 0 0 16px; }
        .chart { display: block; max-width: 100%; height: auto; overflow: visible; }
        .narrow { display: none; }
        .chart text { font-size: 12px; fill: var(--ink); font-variant-numeric: tabular-nums; }
        .chart text.m { fill: var(--muted); }
        .chart text.b { font-weight: 600; }
        .grid { stroke: var(--faint); fill: none; }
        .axis { stroke: var(--muted); fill: none; }
        .mark { stroke: var(--ink); stroke-width: 1.5; fill: none; }
        .leader { stroke: var(--rule); fill: none; }
        .curve { fill: none; stroke-width: 2; stroke-linejoin: round; }
        .area { opacity: 0.16; }
        .pale { opacity: 0.4; }
        .whisker { opacity: 0.55; }
        .dot:not(.open) { stroke: none; }
        .open { fill: none; stroke-width: 1.2; }
        .median { stroke: var(--paper); stroke-width: 1.5; }
        .scroll { overflow-x: auto; margin: 0 0 16px; }
        table { border-collapse: collapse; font-size: 14px; line-height: 1.4; font-variant-numeric: tabular-nums; }
        caption { text-align: left; color: var(--muted); font-size: 13px; padding: 0 0 6px; }
        th, td { text-align: left; font-weight: 400; padding: 6px 10px; border-bottom: 1px solid var(--faint); vertical-align: baseline; overflow-wrap: normal; }
        thead th { color: var(--muted); font-size: 12px; line-height: 1.3; vertical-align: bottom; border-bottom: 1px solid var(--rule); min-width: 56px; }
        tbody th { font-weight: 600; min-width: 9rem; overflow-wrap: anywhere; }
        .name { display: flex; align-items: baseline; } .name .symbol { align-self: flex-start; margin-top: 3px; }
        th:first-child { padding-left: 0; position: sticky; left: 0; background: var(--paper); }
        .n { text-align: right; white-space: nowrap; }
        thead .n { white-space: normal; }
        tbody td:last-child:not(.n) { min-width: 96px; }
        .heat { display: block; margin: -6px -10px; padding: 6px 10px; background: rgb(0 114 178 / var(--heat)); }
        summary { cursor: pointer; font-size: 14px; color: var(--link); padding: 4px 0; width: fit-content; }
        details .scroll { margin-top: 8px; }
        dl { display: grid; grid-template-columns: minmax(96px, max-content) minmax(0, 1fr); gap: 4px 20px; font-size: 14px; max-width: 90ch; }
        dt { color: var(--muted); } dd { margin: 0; }
        footer { color: var(--muted); font-size: 13px; padding-top: 16px; }
        @media screen and (min-width: 1120px) {
          .columns:has(figure), .columns:has(h3) { grid-template-columns: 760px minmax(0, 1fr); }
        }
        @media screen and (max-width: 699px) {
          body { padding: 16px 8px 32px; }
          h1 { font-size: 21px; }
          .rates { display: block; } .rates li { display: grid; grid-template-columns: minmax(0, 1fr) 9.5rem 4.5rem; gap: 0 12px; align-items: center; margin-bottom: 6px; }
          .rates .name { grid-column: 1 / 3; } .rates .badge { grid-area: 1 / 3; justify-self: end; }
          .rates .bar { grid-area: 2 / 1; } .rates .figure { grid-area: 2 / 2 / auto / 4; }
          .wide { display: none; } .narrow { display: block; width: 100%; max-width: 480px; }
          dl { grid-template-columns: minmax(0, 1fr); gap: 0; } dd { margin-bottom: 8px; }
          nav a { padding: 8px 0; }
          tbody th { min-width: 8.5rem; }
        }
        @media print {
          :root { --paper: #ffffff; --ink: #000000; --muted: #444444; --rule: #999999; --faint: #dddddd; --panel: #ffffff; --link: #000000;
            --good: #0b6b45; --bad: #b3261e; --doubt: #7a5a00; }
          * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
          body { font-size: 11pt; max-width: none; padding: 0; }
          nav, .skip, summary, .raw { display: none; }
          details::details-content { display: block; content-visibility: visible; }
          section { padding: 14pt 0 8pt; }
          h2, h3, caption { break-after: avoid; }
          figure, tr { break-inside: avoid; }
          .scroll { overflow: visible; } .heat { margin: -2pt -3pt; padding: 2pt 3pt; }
          table { font-size: 7pt; } thead th { font-size: 6.5pt; min-width: 0; position: static; } th, td { padding: 2pt 3pt; }
          tbody th { min-width: 60pt; } .badge { font-size: inherit; } .name .symbol { width: 7pt; height: 7pt; margin-top: 1pt; }
        }

        """;
}
