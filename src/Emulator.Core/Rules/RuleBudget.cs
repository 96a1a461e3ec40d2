namespace EventHubThroughput.Emulator.Rules;

/// <summary>
/// The steps that all rules together may use for one message. Rules run under the gate of their topic, so a costly rule delays every sender. A step is about a
/// nanosecond of work: comparing a letter of a text with one of a pattern, or looking at a property.
/// </summary>
/// <param name="bytes">The length of the message.</param>
internal sealed class RuleBudget(long bytes)
{
    /// <summary>Steps for a message of any size.</summary>
    public const long Least = 1_000_000;

    /// <summary>Further steps for each byte of the message.</summary>
    public const long PerByte = 300;

    // Comparing or copying texts handles several letters in one step.
    private const int LettersPerStep = 8;

    /// <summary>The remaining steps. A matcher that counts steps itself writes the rest back.</summary>
    public long Left { get; private set; } = Least + (PerByte * bytes);

    /// <summary>Uses steps.</summary>
    /// <exception cref="RuleBudgetException">Not enough steps are left. The rest is then used up.</exception>
    public void Spend(long steps)
    {
        if (steps > Left)
        {
            Left = 0;
            throw new RuleBudgetException();
        }

        Left -= steps;
    }

    /// <summary>Uses the steps of comparing two values. Only texts are long.</summary>
    /// <exception cref="RuleBudgetException">Not enough steps are left.</exception>
    public void SpendOnComparing(object? left, object? right)
    {
        if (left is string first && right is string second)
        {
            Spend(Math.Min(first.Length, second.Length) / LettersPerStep);
        }
    }

    /// <summary>Uses the steps of creating a value. Only texts are long.</summary>
    /// <exception cref="RuleBudgetException">Not enough steps are left.</exception>
    public object? SpentOn(object? made)
    {
        Spend(made is string text ? text.Length / LettersPerStep : 0);
        return made;
    }
}

/// <summary>The rules of a message have used up all its steps.</summary>
internal sealed class RuleBudgetException : Exception;

/// <summary>Limits of the service for the rules of a subscription.</summary>
internal static class RuleLimits
{
    /// <summary>Characters of a rule's name.</summary>
    public const int LongestName = 50;

    /// <summary>Rules of one subscription.</summary>
    public const int MostRules = 2_000;
}
