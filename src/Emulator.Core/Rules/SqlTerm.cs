namespace EventHubThroughput.Emulator.Rules;

/// <summary>The value of an expression for a message. Null is the unknown value. The types are those of <see cref="SqlValues"/>.</summary>
internal delegate object? SqlValue(FilteredMessage message);

/// <summary>Whether a message satisfies a condition. Null is unknown.</summary>
internal delegate bool? SqlCondition(FilteredMessage message);

/// <summary>Looks up a property.</summary>
/// <returns>False when the message does not have it. The value of an existing property may be null.</returns>
internal delegate bool SqlProperty(FilteredMessage message, out object? value);

/// <summary>A parsed part of an expression: a value or a condition.</summary>
/// <param name="Start">Where the part begins.</param>
internal sealed record SqlTerm(SqlToken Start)
{
    public SqlValue? Value { get; init; }

    public SqlCondition? Condition { get; init; }

    /// <summary>Set if the value is that of a property.</summary>
    public SqlProperty? Property { get; init; }

    /// <summary>Set if the value is known and the same for every message.</summary>
    public object? Constant { get; init; }

    public static SqlTerm OfConstant(SqlToken token, object? value) => new(token) { Value = _ => value, Constant = value };

    public static SqlTerm OfProperty(SqlToken token, SqlProperty property) =>
        new(token) { Value = message => property(message, out var value) ? SqlValues.Of(value) : null, Property = property };
}
