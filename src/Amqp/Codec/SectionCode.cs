namespace EventHubThroughput.Amqp.Codec;

/// <summary>The sections of a message by their descriptors (AMQP 1.0 part 3, 3.2).</summary>
public enum SectionCode : ulong
{
    /// <summary>Transport headers: a list.</summary>
    Header = 0x70,

    /// <summary>Annotations for the next hop: a map.</summary>
    DeliveryAnnotations = 0x71,

    /// <summary>Annotations for the infrastructure: a map.</summary>
    MessageAnnotations = 0x72,

    /// <summary>The immutable properties: a list.</summary>
    Properties = 0x73,

    /// <summary>The application's properties: a map.</summary>
    ApplicationProperties = 0x74,

    /// <summary>Body: binary data. May be repeated.</summary>
    Data = 0x75,

    /// <summary>Body: a list. May be repeated.</summary>
    Sequence = 0x76,

    /// <summary>Body: one value.</summary>
    Value = 0x77,

    /// <summary>Details that need the whole message: a map.</summary>
    Footer = 0x78,
}
