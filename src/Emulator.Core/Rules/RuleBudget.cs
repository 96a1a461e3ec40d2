namespace EventHubThroughput.Emulator.Rules;

/// <summary>
/// The steps that all rules together may take for one message. Rules run under the gate of their topic, so that a costly one holds up every sender.
/// A step is about a nanosecond of work: a letter of a text against a letter of a pattern, or a property that is looked at.
/// </summary>
/// <param name="bytes">The length of the message.</param>
internal sealed class RuleBudget(long bytes)
{
    /// <summary>Steps that a message of any size has.</summary>
    public const long Least = 1_000_000;

    /// <summary>Further steps for each byte of the message.</summary>
    public const long PerByte = 300;

    // A comparison of texts, and a copy, handles several letters at once.
    private const int LettersPerStep = 8;

    /// <summary>Steps that are left. A matcher that counts its own steps writes back what remains.</summary>
    public long Left { get; private set; } = Least + (PerByte * bytes);

    /// <summary>Takes steps.</summary>
    /// <exception cref="RuleBudgetException">There are not so many left. None is left then.</exception>
    public void Spend(long steps)
    {
        if (steps > Left)
        {
            Left = 0;
            throw new RuleBudgetException();
        }

        Left -= steps;
    }

    /// <summary>Takes the steps of comparing two values, of which only texts are long.</summary>
    /// <exception cref="RuleBudgetException">There are not so many left.</exception>
    public void SpendOnComparing(object? left, object? right)
    {
        if (left is string first && right is string second)
        {
            Spend(Math.Min(first.Length, second.Length) / LettersPerStep);
        }
    }

    /// <summary>Takes the steps of making a value, of which only texts are long.</summary>
    /// <exception cref="RuleBudgetException">There are not so many left.</exception>
    public object? SpentOn(object? made)
    {
        Spend(made is string text ? text.Length / LettersPerStep : 0);
        return made;
    }
}

/// <summary>The rules of a message have used all its steps.</summary>
internal sealed class RuleBudgetException : Exception;

/// <summary>What a subscription's rules are limited to, as the service has it.</summary>
internal static class RuleLimits
{
    /// <summary>Characters of a rule's name.</summary>
    public const int LongestName = 50;

    /// <summary>Rules of one subscription.</summary>
    public const int MostRules = 2_000;
}
