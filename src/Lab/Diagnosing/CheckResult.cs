namespace EventHubThroughput.Lab.Diagnosing;

/// <summary>How a check ended.</summary>
internal enum CheckOutcome
{
    /// <summary>A consumer can use it.</summary>
    Ok,

    /// <summary>A consumer would fail.</summary>
    Failed,

    /// <summary>It was not tried. The text has the reason.</summary>
    Skipped,
}

/// <summary>The result of one check, which is one line.</summary>
/// <param name="Outcome">How it ended.</param>
/// <param name="Subject">What was checked.</param>
/// <param name="Text">What was found.</param>
internal sealed record CheckResult(CheckOutcome Outcome, string Subject, string Text)
{
    /// <summary>What the user can do about a failure. Null without a failure.</summary>
    public string? Cure { get; init; }

    /// <summary>A consumer can use it.</summary>
    public static CheckResult Ok(string subject, string text) => new(CheckOutcome.Ok, subject, text);

    /// <summary>It was not tried.</summary>
    public static CheckResult Skipped(string subject, string reason) => new(CheckOutcome.Skipped, subject, reason);

    /// <summary>A consumer would fail.</summary>
    public static CheckResult Failed(string subject, string text, string cure) => new(CheckOutcome.Failed, subject, text) { Cure = cure };
}
