namespace EventHubThroughput.AzureProtocol;

/// <summary>Names and numbers that both ends of the AMQP protocols of Event Hubs and Service Bus must agree on.</summary>
public static class AmqpNames
{
    public const string CbsAddress = "$cbs";
    public const string ManagementAddress = "$management";
    public const string DeadLetterSuffix = "$DeadLetterQueue";

    /// <summary>Message format of a batch: one data section per message, each a complete encoded message.</summary>
    public const uint BatchFormat = 0x80013700;

    // Message annotations.
    public const string SequenceNumber = "x-opt-sequence-number";
    public const string Offset = "x-opt-offset";
    public const string EnqueuedTime = "x-opt-enqueued-time";
    public const string PartitionKey = "x-opt-partition-key";
    public const string LockToken = "x-opt-lock-token";
    public const string LockedUntil = "x-opt-locked-until";
    public const string MessageState = "x-opt-message-state";
    public const string DeadLetterSource = "x-opt-deadletter-source";
    public const string ScheduledEnqueueTime = "x-opt-scheduled-enqueue-time";
    public const string EnqueuedSequenceNumber = "x-opt-enqueue-sequence-number";

    // Delivery annotations of the runtime metric.
    public const string LastEnqueuedSequenceNumber = "last_enqueued_sequence_number";
    public const string LastEnqueuedOffset = "last_enqueued_offset";
    public const string LastEnqueuedTime = "last_enqueued_time_utc";
    public const string RuntimeInfoRetrievalTime = "runtime_info_retrieval_time_utc";

    // Selector filter. Three descriptors occur.
    public const string SelectorFilter = "apache.org:selector-filter:string";
    public const ulong SelectorFilterCode = 0x0000468C00000004;
    public const ulong SelectorFilterCodeDotNet = 0x000000137000000A;
    public const string SessionFilter = "com.microsoft:session-filter";
    public const string AnnotationPrefix = "amqp.annotation.";
    public const string LatestOffset = "@latest";

    // Link properties and capabilities.
    public const string Epoch = "com.microsoft:epoch";
    public const string ReceiverName = "com.microsoft:receiver-name";
    public const string EntityType = "com.microsoft:entity-type";
    public const string Timeout = "com.microsoft:timeout";
    public const string MaxMessageBatchSize = "com.microsoft:max-message-batch-size";
    public const int EntityTypeEventHubSender = 7;
    public const int EntityTypePartitionReceiver = 8;
    public const string EntityTypeManagement = "entity-mgmt";
    public const string RuntimeMetricCapability = "com.microsoft:enable-receiver-runtime-metric";
    public const string IdempotentProducerCapability = "com.microsoft:idempotent-producer";
    public const string GeoReplicationCapability = "com.microsoft:georeplication";

    // Requests and answers of $cbs and $management.
    public const string Operation = "operation";
    public const string Name = "name";
    public const string Type = "type";
    public const string Partition = "partition";
    public const string SecurityToken = "security_token";
    public const string Expiration = "expiration";
    public const string PutTokenOperation = "put-token";
    public const string ReadOperation = "READ";
    public const string SasTokenType = "servicebus.windows.net:sastoken";
    public const string JwtTokenType = "jwt";
    public const string EventHubType = "com.microsoft:eventhub";
    public const string PartitionType = "com.microsoft:partition";
    public const string StatusCode = "status-code";
    public const string StatusDescription = "status-description";
    public const string ErrorConditionName = "error-condition";
    public const string ServiceBusStatusCode = "statusCode";
    public const string ServiceBusStatusDescription = "statusDescription";
    public const string ServiceBusErrorCondition = "errorCondition";
    public const string ServerTimeout = "com.microsoft:server-timeout";
    public const string TrackingId = "com.microsoft:tracking-id";
    public const string AssociatedLinkName = "associated-link-name";

    // Values of the Event Hubs management answers.
    public const string CreatedAt = "created_at";
    public const string PartitionCount = "partition_count";
    public const string PartitionIds = "partition_ids";
    public const string GeoReplicationFactor = "georeplication_factor";
    public const string BeginSequenceNumber = "begin_sequence_number";
    public const string IsPartitionEmpty = "is_partition_empty";

    // Service Bus management operations and their fields.
    public const string RenewLockOperation = "com.microsoft:renew-lock";
    public const string PeekMessageOperation = "com.microsoft:peek-message";
    public const string UpdateDispositionOperation = "com.microsoft:update-disposition";
    public const string ReceiveBySequenceNumberOperation = "com.microsoft:receive-by-sequence-number";
    public const string ScheduleMessageOperation = "com.microsoft:schedule-message";
    public const string CancelScheduledMessageOperation = "com.microsoft:cancel-scheduled-message";
    public const string AddRuleOperation = "com.microsoft:add-rule";
    public const string RemoveRuleOperation = "com.microsoft:remove-rule";
    public const string EnumerateRulesOperation = "com.microsoft:enumerate-rules";
    public const string SequenceNumbers = "sequence-numbers";
    public const string LockTokens = "lock-tokens";
    public const string Expirations = "expirations";
    public const string Messages = "messages";
    public const string Message = "message";
    public const string FromSequenceNumber = "from-sequence-number";
    public const string MessageCount = "message-count";
    public const string DispositionStatus = "disposition-status";
    public const string DispositionCompleted = "completed";
    public const string DispositionAbandoned = "abandoned";
    public const string DispositionDeferred = "defered";
    public const string DispositionSuspended = "suspended";

    public const string DispositionReason = "deadletter-reason";
    public const string DispositionDescription = "deadletter-description";
    public const string PropertiesToModify = "properties-to-modify";
    public const string RequestedSettleMode = "receiver-settle-mode";
    public const string DeferredLockToken = "lock-token";

    // Dead letters.
    public const string DeadLetterReason = "DeadLetterReason";
    public const string DeadLetterErrorDescription = "DeadLetterErrorDescription";

    // Error conditions beyond AMQP's own.
    public const string ServerBusyError = "com.microsoft:server-busy";
    public const string TimeoutError = "com.microsoft:timeout";
    public const string MessageLockLostError = "com.microsoft:message-lock-lost";
    public const string DeadLetterError = "com.microsoft:dead-letter";
    public const string ArgumentError = "com.microsoft:argument-error";
    public const string ArgumentOutOfRangeError = "com.microsoft:argument-out-of-range";
    public const string EntityDisabledError = "com.microsoft:entity-disabled";
    public const string MessageNotFoundError = "com.microsoft:message-not-found";
    public const string EntityAlreadyExistsError = "com.microsoft:entity-already-exists";
}
