namespace EventHubThroughput.Amqp.Codec;

/// <summary>A map that stays encoded. Each search reads it up to the wanted key, and creates only the value that is found.</summary>
/// <param name="Encoded">The encoded map. Empty for none.</param>
public readonly record struct EncodedMap(ReadOnlyMemory<byte> Encoded)
{
    /// <summary>The value whose key is this text, as a string or as a symbol. Null when absent. Where a key occurs twice, its first value.</summary>
    /// <param name="key">The key, of ASCII characters.</param>
    /// <exception cref="AmqpException">The bytes up to the key are not a map (<see cref="AmqpErrorScope.Decode"/>).</exception>
    public object? Find(string key) => TryEnter(key, out var reader) ? reader.ReadValue() : null;

    /// <summary>As <see cref="Find"/>, for a string or symbol. Null when it is something else.</summary>
    public string? FindString(string key) => AmqpMap.AsString(Find(key));

    /// <summary>As <see cref="Find"/>, for an integer of any width and sign. Null when it is something else or does not fit.</summary>
    public long? FindInteger(string key) => TryEnter(key, out var reader) ? reader.ReadIntegerOrPass() : null;

    /// <summary>As <see cref="Find"/>, for a timestamp. Null when it is something else.</summary>
    public AmqpTimestamp? FindTimestamp(string key) => TryEnter(key, out var reader) ? reader.ReadTimestampOrPass() : null;

    private bool TryEnter(string key, out AmqpReader reader)
    {
        reader = new AmqpReader(Encoded);
        return !Encoded.IsEmpty && reader.TryEnterValue(key);
    }
}
